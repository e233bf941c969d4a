"""Looking for what is wrong with instinct files, and mending what is mechanical.

`rules` says what each finding means and what to do about it; the modules `shape`, `evidence`, `words`, `place` and
`neighbours` find; `inspection` puts them together; `mend` changes bytes; `stores` and `bare` bring the files.
"""
