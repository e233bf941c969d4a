"""Bodies of answers that stay small: a library takes whatever comes into memory, a hundred gigabytes as well.

An answer of a model has some ten thousand characters. A compressed one can be far larger than what arrives, and nobody
asked for it, so it is not taken at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import httpx2

MOST = 16_000_000
"""Bytes of a body."""

PLAIN = {"Accept-Encoding": "identity"}
"""What a request has to ask for."""


class Unfit(Exception):
    """A body that is too long, or compressed."""


class _Body(httpx2.SyncByteStream):
    """A body that ends with `Unfit` where it is too long."""

    def __init__(self, whole: httpx2.SyncByteStream) -> None:
        self._whole = whole

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._whole:
            size += len(piece)
            if size > MOST:
                raise Unfit(f"more than {MOST:,} bytes")
            yield piece

    def close(self) -> None:
        """Leaves the connection."""
        self._whole.close()


def bound(response: httpx2.Response) -> None:
    """Bounds the body of a response that has not been read yet; a hook of the HTTP client.

    Raises:
        Unfit: it is compressed.
    """
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise Unfit("compressed")
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Body(response.stream)
