"""Whether all that the loop needs is there and works: programs, places, hooks, the spool, the observer, the stores.

Each module looks at one of these and gives diagnoses: what was found, how bad it is, and the way out. Nothing is
changed by looking; what can be mended without a risk carries its own cure.
"""
