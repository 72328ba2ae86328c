"""The sentences of calibration, camera and pins that pages say in the reader's language."""

from __future__ import annotations

from companion.games.corona.refused import N_

_OTHER_FIELDS = N_(
    "the photo shows other fields than the board that was chosen; if another board lies there, "
    "set the camera up again with that one"
)
ON_A_PHONE = {
    "the tags do not lie as layout '%(name)s' says; give the layout of this board, "
    "or none to have it measured": N_(
        "the tags do not lie as on the board that was chosen; lay that one, or leave this and choose another"
    ),
    "no ring of twelve equal fields is clear enough in the photo of the empty board; "
    "take it in even light, or give the measures with --layout": N_(
        "no ring of twelve equal fields is clear enough in the photo of the empty board; "
        "take it again in even light, or correct what is drawn, which is a guess"
    ),
    "the photo shows them about %(seen)s mm wide, and layout '%(name)s' says %(mm)s mm": _OTHER_FIELDS,
    "the photo shows a ring of radius %(seen)s mm around (%(x)s, %(y)s), "
    "its first field at %(first)s degrees, and layout '%(name)s' says %(mm)s mm "
    "and %(number)s degrees": _OTHER_FIELDS,
}
"""What the terminal says, by what is said instead where nothing can be typed."""
SENTENCES = (
    *ON_A_PHONE,
    N_("the photo of the %(what)s shows more than one board; take one away"),
    N_("the photo of the %(what)s is too dark; switch a lamp on, or expose longer"),
    N_("the photo of the %(what)s is washed out; take the light or the glare from the board"),
    N_("the photo of the %(what)s is mirrored: it shows none of the 4 tags; switch that off at the camera"),
    N_(
        "the photo of the %(what)s is too dark: it shows none of the 4 tags; switch on a lamp, "
        "or expose longer"
    ),
    N_(
        "the photo of the %(what)s is too dark: it shows only %(number)s of the 4 tags; switch on a lamp, "
        "or expose longer"
    ),
    N_("the photo of the %(what)s is overexposed: it shows none of the 4 tags; expose it less"),
    N_("the photo of the %(what)s is overexposed: it shows only %(number)s of the 4 tags; expose it less"),
    N_("the photo of the %(what)s is blurred: it shows none of the 4 tags; focus, and keep the camera still"),
    N_(
        "the photo of the %(what)s cuts the board off: tag %(tags)s is out of the picture; "
        "bring all corners of the board into view"
    ),
    N_(
        "the photo of the %(what)s shows only %(number)s of the 4 tags of layout '%(name)s', "
        "tag %(tags)s is missing; bring all corners of the board into view, sharp and evenly lit, "
        "with nothing on the tags"
    ),
    N_(
        "the photo of the %(what)s shows only %(number)s of the 4 tags of layout '%(name)s', "
        "tags %(tags)s are missing; bring all corners of the board into view, sharp and evenly lit, "
        "with nothing on the tags"
    ),
    N_(
        "the photo of the %(what)s shows none of the 4 tags of layout '%(name)s'; "
        "bring all corners of the board into view, sharp and evenly lit, with nothing on the tags"
    ),
    N_("the two photos differ in size; take both with the same camera settings"),
    N_("one of the two photos is turned by a quarter; hold the camera alike for both"),
    N_(
        "a die is only %(number)s pixels wide in the photo of the dice, too small to be found; "
        "set the camera to larger pictures, or bring it nearer"
    ),
    N_(
        "the two photos show different boards, or one is covered; "
        "take both of the same board in the same light"
    ),
    N_(
        "the board looks as if the camera were %(metres)s m away; "
        "give the photos as the camera took them, neither squeezed nor cut out"
    ),
    N_(
        "the two photos show different boards, or one is overexposed; "
        "take both of the same board in the same light"
    ),
    N_(
        "a shadow lies over the photo of the empty board near field %(letter)s; "
        "step aside and take both photos again"
    ),
    N_("a shadow lies over the photo of the dice; step aside and take it again"),
    N_("the photo of the empty board shows dice; take them away and take the photo again"),
    N_(
        "the photo of the empty board shows a die; take it away and take the photo again, "
        "or, if it is print, just take it again"
    ),
    N_("the photo of the %(what)s is blurred; focus, and keep the camera still"),
    N_("the photo of the %(what)s is overexposed; expose it less"),
    N_("the photo of the empty board cuts fields off; bring the whole board into view"),
    N_("the dice lie in the photo of the empty board and not in the photo of the dice; exchange the two"),
    N_("unknown colour %(name)s; known are %(names)s"),
    N_("%(colours)s is named twice: %(number)s different colours instead of 6"),
    N_("%(number)s different colours instead of 6"),
    N_("the photo of the dice shows more than 6 dice; leave only the six of the set on the table"),
    N_("the photo of the dice shows %(number)s of 6 dice; lay all six flat, apart, in even light"),
    N_("the photo of the dice shows %(number)s of 6 dice and is overexposed; expose it less"),
    N_(
        "the photo of the dice shows 5 of 6 dice, the %(colours)s one seems to be missing; "
        "lay all six flat, apart, in even light"
    ),
    N_(
        "the dice look about %(number)s mm wide and not %(mm)s; "
        "measure one, and the black squares of the tags, again"
    ),
    N_("they look %(number)s mm wide and not %(mm)s, and are taken so; measure one again"),
    N_(
        "the %(colours)s die cannot be told apart by their names; "
        "take the photo of the dice in whiter light, out of any glare, "
        "or name one of them by another colour"
    ),
    N_(
        "the photo of the empty board shows something near field %(letter)s (a hand, or a die?); "
        "clear the board and take it again"
    ),
    N_("the four tags do not lie in a plane; stick them flat on the board"),
    N_("the tags are not in their order; 0 belongs top left, then 1, 2, 3 clockwise"),
    N_("a die is only %(number)s pixels wide, small; bring the camera to %(mm)s mm, or take larger photos"),
    N_(
        "a die is only %(number)s pixels wide, too small to read; bring the camera to %(mm)s mm, "
        "or take larger photos"
    ),
    N_(
        "a die is only %(number)s pixels wide, small; set the camera to larger pictures, "
        "for nearer by it would not see the whole board"
    ),
    N_(
        "a die is only %(number)s pixels wide, too small to read; set the camera to larger pictures, "
        "for nearer by it would not see the whole board"
    ),
    N_(
        "the %(colours)s dice look nearly alike in this light (a lamp may be mirrored in them); "
        "move the lamp or the camera, and take both photos again"
    ),
    N_(
        "no die looks %(colours)s, and one looks %(colour)s; "
        "if it is, learn the set again with that name in place of the other"
    ),
    N_(
        "no dice look %(colours)s, and some look %(colour)s; "
        "if they are, learn the set again with those names in place of the others"
    ),
    N_(
        "some dice look very pale: %(colours)s; "
        "if they are not, move them or the lamp, and take their photo again"
    ),
    N_("a lamp is mirrored in some dice: %(colours)s; move them or the lamp, and take their photo again"),
    N_(
        "the camera looks from %(number)s degrees aside (far too much: pieces hide each other); "
        "move it %(cm)s cm from the board's %(side)s towards above its middle"
    ),
    N_(
        "the camera looks from %(number)s degrees aside (pieces hide a part of each other); "
        "move it %(cm)s cm from the board's %(side)s towards above its middle"
    ),
    N_(
        "beside the board there is room for %(number)s dice in the picture; "
        "throw them into the ring, or raise the camera"
    ),
    N_("the photo is dark; switch on a lamp, or expose longer"),
    N_("the photo of the dice is dark; switch on a lamp, or expose longer"),
    N_("white paper is overexposed, and white dice will be; expose a little less"),
    N_("much of the board is overexposed; expose a little less, or dim the light"),
    N_("uneven: the corner of tag %(tag)s gets %(share)s %% of the light of the brightest corner"),
    N_("a lamp is mirrored on field %(letters)s; move the lamp or the camera"),
    N_("the photo is soft; focus on the board, clean the lens, and fix the camera so that it cannot shake"),
    N_("more than one board is in view; take one away"),
    N_("the tags do not lie as on this board; choose another board, or put them right"),
    N_("it is too dark; switch on a lamp"),
    N_("there is too much light; dim it, or expose less"),
    N_("the picture is mirrored; switch that off at the camera"),
    N_("the picture is blurred; focus the camera, and keep it still"),
    N_("tag %(tags)s is out of the picture; move the camera up"),
    N_("no tag is to be seen; bring the whole board into the picture"),
    N_("tags %(tags)s are missing; lay nothing on the tags, and bring all four into the picture"),
    N_("tag %(tags)s is missing; lay nothing on the tags, and bring all four into the picture"),
    N_(
        "a piece %(diameter)s mm wide does not fit on a field, which is %(field)s mm wide; "
        "measure its diameter again"
    ),
    N_("a piece %(diameter)s mm wide is not %(height)s mm high; give its diameter first, then its height"),
    N_("something lies over the board in their photo, perhaps a hand; take it again without"),
    N_("some lean in their photo: %(colours)s; lay all six flat, and take it again"),
    N_("%(length)s is no size in mm; %(least)s to %(most)s are"),
    N_("type a size in mm, %(least)s to %(most)s"),
    N_("%(file)s cannot be written (%(why)s); put that right and try again"),
    N_("the host sets it up or tests it"),
    N_("something moves all the time: take what flickers or moves out of its sight"),
    N_("this game has other dice than the camera was set up with; start a new game"),
    N_("it has not been set up: the host does that under “Camera and wiring”"),
    N_("the camera has not been set up; do that first"),
    # Cameras
    N_("%(file)s is no folder: name one that holds pictures"),
    N_("%(file)s holds no picture (.jpg, .png or .webp): put one there"),
    N_("%(file)s cannot be read: %(why)s"),
    N_("%(file)s is not a picture, or a damaged one: take it out of the folder"),
    N_("camera %(number)s does not open: is it plugged in, and does no other program hold it?"),
    N_("camera %(number)s gives no more pictures: check its cable"),
    N_("camera %(number)s gives no pictures in colours: take another camera"),
    N_("camera %(number)s suddenly gives pictures of %(size)s, not %(other)s: plug it in again"),
    N_("camera %(number)s gives the same picture again and again: plug it in again"),
    N_("the camera does not answer: unplug it, and plug it in again"),
    N_("picamera2 is missing or does not load (%(why)s): sudo apt install python3-picamera2"),
    N_("the Pi camera does not start (%(why)s): is its ribbon seated, and does no other program hold it?"),
    N_("the Pi camera has changed %(names)s, which was locked"),
    N_("the Pi camera gave no picture for %(number)s seconds: check its ribbon"),
    N_("the Pi camera gave no picture: %(why)s"),
    N_("the Pi camera gives %(name)s pictures, which are not understood here"),
    N_("watching the table failed: %(why)s"),
    # Pins
    N_("the pins' library is missing (%(name)s): sudo apt install python3-lgpio"),
    N_("this machine has no GPIO pins: leave [panel] empty, or play on a Raspberry Pi"),
    N_("this user may not use the pins: sudo usermod -aG gpio $USER, then log out and in again (or restart)"),
    N_("the pins cannot be used: %(why)s; without buttons and lamps, leave [panel] empty"),
    N_("it is in use; stop the other program that holds it, or take another GPIO"),
    N_(
        "it is in use; stop the other program that holds it or %(name)s "
        "(off in raspi-config, Interface Options), or take another GPIO"
    ),
)
