"""Instincts in and out: from the files of other tools and other people, and into theirs.

Both directions are branches of the store's own git. An import is a commit on a branch of its source and is merged into
`main`; an export is a commit on a branch of its own. So corrections travel, local edits stay, and the same file twice
changes nothing. Readers are pure: bytes in, documents or reasons out.
"""
