"""One store: a git repository of instincts, of a project or of the person.

`layout` says what belongs in it, `store` makes and opens one, `tree` reads a commit of it. `commit` is the one way in:
it lands a change on `main`, with `edits` (what a person changed by hand comes first), `checkout` (index and files
follow) and `runs` (the record that stays on this machine). `history` and `condition` look and never write; `move` gives
a store another id.
"""
