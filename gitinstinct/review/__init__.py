"""What waits for a person's consent, who wrote it, and what it changes.

Nothing here decides: a case holds what a person must see, and `verdict` says what may be answered.
"""
