"""From observations to instincts: read what is new, detect, validate, reconcile, commit.

`events` and `sessions` read the spool's records, `local` finds patterns in them, `tally` remembers sightings below the
threshold, `reconcile` turns them into evidence on instincts, `run` does it all as one commit. A detector returns
proposals as data; it never writes a file.
"""
