"""Several people, one store: where it is shared, what comes, what goes.

`link` says where a store is shared, `outgoing` what a push would publish and whether it may, `exchange` pulls, pushes
and syncs, `sharing` begins it, `joining` finds what others began, `standing` tells how it stands without a network.
Nothing is ever forced, and nothing goes out that was not looked at.
"""
