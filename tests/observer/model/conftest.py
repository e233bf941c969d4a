"""A model on the loopback, and a key for it."""

from __future__ import annotations

import pytest
from pytest_httpserver import HTTPServer

from tests.support.models import Api


@pytest.fixture
def api(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Api:
    """The Messages API."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-key")
    return Api(httpserver)
