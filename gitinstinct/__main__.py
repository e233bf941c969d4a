"""`python -m gitinstinct`."""

from gitinstinct.cli import main

main()
