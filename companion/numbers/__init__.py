"""Corona in numbers: the document and its pictures, all counted in the table of all states."""
