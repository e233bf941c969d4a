"""A promotion that waits, published: its branch at the remote, and a pull request for people who review there.

`harmless` makes foreign text fit for a page, `facts` gathers what a reviewer must know, `body` writes it down, `hosts`
tells what is at an address, `programs` lets the person's own `gh` or `glab` open the request, `publishing` does all of
it, and `updating` makes the host's merge button safe.
"""
