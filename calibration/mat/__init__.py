"""The printable mat: law: draws a layout as a PDF of vectors; may use reportlab, vision for the layout."""
