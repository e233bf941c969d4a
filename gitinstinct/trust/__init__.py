"""Whose words may reach an agent: a list of content hashes on this machine, outside any repository.

What comes with a repository can never vouch for itself, and a text that was changed by one letter is another text. So
consent is kept by hash, here, and everything that nobody here has consented to waits.
"""
