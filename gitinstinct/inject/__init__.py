"""What reaches the agent: `select` chooses the instincts, `render` puts them into words.

Both are pure. Nothing is chosen that is unreadable, in conflict, archived, or not sure enough.
"""
