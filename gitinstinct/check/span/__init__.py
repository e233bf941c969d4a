"""A range of a shared store's history, judged before it counts: what `check A..B` finds.

`asked` says what was meant, `states` compares the trees, and the rules follow: `files` what the newest tree holds,
`evidence` what became of what was known, `commits` what the messages say and the history hides, `touched` which commit
changed what, `provenance` where a
promotion comes from, `signed` and `approval` who answers for it. `judgement` puts them together.

Nothing here believes the range: trees are read level by level within limits before anything unfolds them, and no file
of it decides how it is read.
"""
