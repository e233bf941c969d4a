"""The domain: what an instinct is, how its file is read and written, what its evidence is worth.

Pure: values in, values out. Nothing here opens a file, asks the clock or the environment, or prints.
`model` holds the values, `ledger` the evidence lines, `confidence` the fold, `dialect` and `body` the two halves of a
file, `markdown` reads whole files and makes new ones, `edit` changes them without touching other lines.
"""
