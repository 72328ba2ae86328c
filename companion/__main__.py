"""`python -m companion` is the `corona` command."""

from companion.cli import main

main()
