"""What waits for a person: of which kind it is, who wrote it, what it changes and what speaks for it.

Nothing here decides: a case holds what a person must see, and `verdict` says what may be answered.
"""
