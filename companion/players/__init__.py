"""Simple players at the virtual table: who sits where, what they do when, and their hands on the pieces."""
