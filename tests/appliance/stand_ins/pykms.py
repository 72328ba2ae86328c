"""In place of the bindings of KMS, which picamera2 imports for a screen it could draw on."""


class PixelFormat:
    """Names of formats; none is ever drawn in."""

    RGB888 = BGR888 = XRGB8888 = XBGR8888 = NV12 = NV21 = None
    YUV420 = YVU420 = YUYV = YVYU = UYVY = VYUY = None
