"""Asking: where an instinct comes from, how it changed, who wrote each line, and what differs between two states.

Everything here reads commits of `main`; nothing writes into a store, and nothing looks at the work tree. What a commit
*says* (its trailers) names things; what it *did* (the blobs) is what is told.
"""
