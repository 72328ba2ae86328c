"""What the host sets up and tries on a phone: the camera step by step, and what hangs on the pins."""
