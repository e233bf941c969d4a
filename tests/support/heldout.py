# ruff: noqa: RUF001 -- punctuation of other languages
"""A vocabulary that the detector was not made on: other tools, errors, languages and small talk (see `planted`)."""

from __future__ import annotations

CORRECTIONS = [
    ("yarn", "bun", "yarn add {pkg}"),
    ("jest", "vitest", "npx jest web/{mod}.spec.ts"),
    ("develop", "trunk", "git checkout develop"),
    ("float", "Decimal", None),
    ("axios", "ky", "yarn add axios"),
    ("tabs", "spaces", None),
    ("maven", "gradle", None),
    ("println", "slog", None),
    ("make", "just", "make {mod}"),
]
PHRASES = [
    "nein, nimm {right} statt {wrong}",
    "Bitte kein {wrong}, sondern {right}.",
    "non, utilise {right} au lieu de {wrong}",
    "no uses {wrong}, usa {right}",
    "use {right} em vez de {wrong}, por favor",
    "используй {right} вместо {wrong}",
    "{wrong} ではなく {right} を使ってください",
    "{wrong} 말고 {right} 써줘",
    "不要用 {wrong}，我们用 {right}",
    "instead of {wrong} please use {right}",
    "why are you using {wrong}? we use {right} here",
    "not {wrong}, {right}!",
    "We prefer {right} over {wrong} in this codebase. Now run it again.",
    "hey, switch from {wrong} to {right}",
    "Good start. But {wrong} is not what we use, it's {right}.",
    "не надо {wrong}, у нас {right}",
    "hör auf mit {wrong}, hier nutzen wir {right}",
]
ERRORS = [
    (
        "./gradlew test",
        '> Task :compileJava FAILED\nException in thread "main" java.lang.UnsupportedClassVersionError: com/acme/App',
        "sdk use java",
        ["UnsupportedClassVersionError", "sdk use"],
    ),
    (
        "terraform apply",
        "Error: Inconsistent dependency lock file\n\nstatus code: 403 Forbidden",
        "terraform init -upgrade",
        ["403", "terraform init"],
    ),
    (
        "go build ./...",
        "main.go:7:2: no required module provides package github.com/acme/log; to add it:",
        "go mod tidy",
        ["no required module provides package", "go mod tidy"],
    ),
    (
        "bundle exec rspec",
        "ActiveRecord::PendingMigrationError: Migrations are pending.",
        "bin/rails db:migrate",
        ["PendingMigrationError", "db:migrate"],
    ),
    (
        "dotnet build",
        "App.cs(3,7): error CS0246: The type or namespace name 'Json' could not be found",
        "dotnet restore",
        ["CS0246", "dotnet restore"],
    ),
    (
        "npm run dev",
        "Error: listen EADDRINUSE: address already in use :::3000",
        "npx kill-port 3000",
        ["EADDRINUSE", "kill-port"],
    ),
    (
        "alembic upgrade head",
        'sqlalchemy.exc.ProgrammingError: relation "users" does not exist\nSQLSTATE: 42P01',
        "make db-create",
        ["42P01", "db-create"],
    ),
    (
        "poetry install",
        "pyproject.toml changed significantly since poetry.lock was last generated. FROBNICATE",
        "poetry lock --no-update",
        ["poetry", "poetry lock"],
    ),
    (
        "git commit -m x",
        "prettier.....Failed\n- hook id: prettier\n- files were modified by this hook",
        "git add -u",
        ["modified by this hook", "git add -u"],
    ),
    (
        "kubectl get pods",
        "error: You must be logged in to the server (Unauthorized)",
        "aws sso login",
        ["kubectl", "aws"],
    ),
]
WORKFLOWS = [
    ([("Edit", "{f}.py"), ("Bash", "pdm run lint"), ("Bash", "pdm run test")], ["pdm run lint", "pdm run test"]),
    (
        [("Edit", "{f}.go"), ("Bash", "gofmt -w ."), ("Bash", "go vet ./..."), ("Bash", "go test ./...")],
        ["go vet", "go test"],
    ),
    ([("Write", "{f}.proto"), ("Bash", "buf generate"), ("Bash", "buf lint")], ["buf generate", "buf lint"]),
    (
        [("Edit", "{f}.rs"), ("Bash", "cargo fmt"), ("Bash", "cargo clippy --all-targets")],
        ["cargo fmt", "cargo clippy"],
    ),
    (
        [("Bash", "helm lint chart"), ("Bash", "helm template chart"), ("Bash", "kubectl apply -f out.yaml")],
        ["helm lint", "kubectl apply"],
    ),
    (
        [("Edit", "{f}.java"), ("Bash", "./mvnw spotless:apply"), ("Bash", "./mvnw verify")],
        ["spotless:apply", "verify"],
    ),
    (
        [("Bash", "changeset version"), ("Bash", "turbo build"), ("Bash", "changeset publish")],
        ["turbo build", "changeset publish"],
    ),
]
PREFERENCES = [
    (["fd {w}", "fd -e go {w}", "fd -t f {w} pkg"], ["fd"]),
    (["poetry run {w}", "poetry run python -m {w}", "poetry run celery -A {w}"], ["poetry run"]),
    (["task build", "task lint:{w}", "task up"], ["task"]),
    (["glab mr view {n}", "glab mr list", "glab ci status {n}"], ["glab"]),
    (["podman ps", "podman logs {w}", "podman run {w}"], ["podman"]),
    (["mise run {w}", "mise run check", "mise run web:{w}"], ["mise"]),
]
DECOY_ERRORS = [
    ("ansible-playbook site.yml", "fatal: [web]: UNREACHABLE!", "ssh-add", "ansible-playbook"),
    ("mix test", "** (Mix) Could not compile dependency", "mix deps.get", "mix"),
]
SMALL_TALK = [
    "not now but later, please",
    "I'd rather read it twice than guess, thanks",
    "great, not bad at all!",
    "kein Problem, mach weiter",
    "should we use redis instead of memcached?",
    "thanks for using short names instead of long ones",
    'the docs say "use flask instead of django", what does that mean',
    "if we use kafka instead of rabbit it gets slow",
    "use your judgment instead of asking",
    "pas de souci, on continue",
    "You are an architect. Prefer composition over inheritance.",
    "put it into src/auth.ts instead of src/user.ts",
    "call load_settings instead of read_settings there",
    "没问题，继续",
    "いいですね、ありがとう",
    "<system-reminder>use carthage instead of cocoapods</system-reminder>",
    "/review use hg instead of git",
    "ok, next one",
]
GAPS = [
    ("Bash", "ls -la pkg"),
    ("Bash", "git status"),
    ("Bash", "{w}-{w}{n} --{w} {n}"),
    ("Grep", "{w}{n}"),
    ("Read", "docs/{w}{n}.md"),
    ("Edit", "docs/{w}{n}.md"),
]
