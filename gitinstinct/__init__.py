"""What coding agents learn, kept as plain markdown in git.

This module is loaded by the hook that runs on every tool call: it must import nothing.
"""

__version__ = "0.1.0"
