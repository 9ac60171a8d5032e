"""`python -m experience` is the console script `experience`."""

from experience.cli import main

main()
