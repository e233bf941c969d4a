"""Command lines: which programs run, and what of their words may recur."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.observer.local.commands import Role, parse
from gitinstinct.observer.local.shell import pipelines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cd '/a b' && make -j4; ls", [[("cd", "/a b")], [("make", "-j4")], [("ls",)]]),
        ("make 2>&1 | tail -3 > out.txt", [[("make",), ("tail", "-3")]]),
        ("make || true", [[("make",)]]),
        ("CI=1 sudo -E timeout 60 make all &", [[("make", "all")]]),
        ("lsof -ti:3000 | xargs -n1 kill -9", [[("lsof", "-ti:3000"), ("kill", "-9")]]),
        ("bash -lc 'cd x && make'", [[("cd", "x")], [("make",)]]),
        ("git commit -F - <<'EOF'\nmake; rm -rf x\nEOF\nmake", [[("git", "commit", "-F", "-", "<", "<")], [("make",)]]),
        ("if make; then ./run; fi", [[("make",)], [("./run",)]]),
        ("for f in a b; do echo $f; done", [[("echo", "$f")]]),
        ("make \\\n  all # not this", [[("make", "all")]]),
        ("git commit -m 'never closed; make", [[("git", "commit", "-m")]]),
        ("", []),
        (";;&&|", []),
    ],
)
def test_pipelines(text: str, found: list[list[tuple[str, ...]]]) -> None:
    assert pipelines(text) == found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("git -C web push --force-with-lease origin main", "git push --force-with-lease"),
        ("git commit -m 'a secret plan' --amend", "git commit --amend"),
        ("pip install -r requirements.txt", "pip install -r requirements.txt"),
        ("pip install left-pad==1.2", "pip install"),
        ("python manage.py migrate shop", "python manage.py migrate"),
        ("python3.11 -m pytest tests/test_a.py -k slow", "python -m pytest"),
        ("python -m pip install x", "python -m pip install"),
        ("python scripts/once.py --all", "python"),
        ("/usr/local/bin/npm run build:prod -- --watch", "npm run build:prod"),
        ("./node_modules/.bin/eslint --fix src", "eslint --fix"),
        ("docker compose -f dev.yml up -d --build", "docker compose up --build"),
        ("npx tsc --noEmit", "npx tsc --noEmit"),
        ("uv run --with x pytest -q", "uv run pytest"),
        ("docker compose exec -T web rails db:migrate", "docker compose exec rails db:migrate"),
        ("bash scripts/gen.sh all", "scripts/gen.sh all"),
        ("dotnet ef migrations add Init", "dotnet ef migrations add"),
        ("mvn -q clean verify", "mvn clean verify"),
        ("rg -n needle src", "rg"),
        ("mysql --password hunter2 shop", "mysql"),
        ("kubectl -n prod rollout restart deploy/api", "kubectl rollout restart"),
        ("C:\\tools\\node.exe app.js", "node"),
        ("cmake --build out --target all", "cmake --build"),
        ("git checkout -b feature/x", "git checkout -b"),
        ("ormolu -i src", "ormolu"),
        ("argocd app sync web", "argocd app sync"),
        ("frobnicate --level 9 thing", "frobnicate"),
        ("frobnicate polish thing --deeply", "frobnicate polish --deeply"),
    ],
)
def test_what_recurs_of_a_command(text: str, shown: str) -> None:
    assert [command.shown for command in parse(text)] == [shown]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("git status", Role.READER),
        ("kubectl get pods", Role.READER),
        ("terraform --version", Role.READER),
        ("python -c 'import this'", Role.READER),
        ("cat a | grep b | wc -l", Role.READER),
        ("node -v", Role.READER),
        ("npm version", Role.READER),
        ("npm version patch", Role.TOOL),
        ("pdm run test", Role.TOOL),
        ("psql -h db -f a.sql", Role.UTILITY),
        ("mkdir -p build", Role.UTILITY),
        ("python once.py", Role.UTILITY),
        ("make logs", Role.TOOL),
        ("cat schema.sql | psql-loader run", Role.TOOL),
        ("git push", Role.TOOL),
    ],
)
def test_what_a_command_is_good_for(text: str, role: Role) -> None:
    assert [command.role for command in parse(text)] == [role]


def test_equal_variants_are_equal_uses() -> None:
    one, same, other = (parse(text)[0] for text in ("rg -n a src", "rg  -n 'a' src", "rg -n b src"))
    assert one.variant == same.variant != other.variant


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("docker compose up -d db", "docker compose up -d db"),
        ("pnpm --filter @shop/ui build", "pnpm --filter @shop/ui build"),
        ("go build ./...", "go build ./..."),
        ("aws sso login", "aws sso login"),
        ("docker login -u ann -p hunter", ""),
        ("vault write auth/x password=hunter", ""),
        ("make /home/ann/x", ""),
        ("make ../x", ""),
        ("git commit -m 'some words'", ""),
        ("tool fetch https://a.example/x", ""),
        ("tool " + "word " * 20, ""),
    ],
)
def test_all_the_words_of_a_command_only_where_they_are_harmless(text: str, exact: str) -> None:
    assert [command.exact for command in parse(text)] == [exact]


@given(st.text(alphabet="ab./-_$'\"\\;&|<>(){}`\n #=EOF", max_size=200))
def test_no_text_is_too_broken(text: str) -> None:
    for command in parse(text):
        assert command.raw
        assert len(command.shown) < 200


@pytest.mark.parametrize("piece", ["<<a ", "'", '"\\', "a&&", "((", "$(", "a|", "\\\n"])
def test_hostile_lines_are_cut_off_and_not_searched_for_ever(piece: str) -> None:
    assert len(parse(piece * 50_000)) <= 8
