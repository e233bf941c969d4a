"""What is known about command-line programs: plain tables, to be grown by adding a word.

They answer three questions: how many words after a program are sub-commands and not arguments; what only looks and
changes nothing; and what merely runs another program. A program that stands in no
table is treated by the defaults in `commands`; nothing depends on a program being listed here.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The phrases of a text, between commas."""
    return frozenset(phrase.strip() for phrase in text.split(","))


# How many words after this prefix name what is done. A program that is not listed has one, if it looks like one.
SUBCOMMANDS: dict[str, int] = {
    **dict.fromkeys(
        phrases(
            "aws, az, gcloud, gh, glab, doctl, flyctl, fly, supabase, prisma, drizzle-kit, openssl, podman compose,"
            "docker compose, docker buildx, docker image, docker container, docker volume, docker network,"
            "docker system, kubectl rollout, kubectl config, kubectl create, git stash, git submodule, git worktree,"
            "git remote, git lfs, git bisect, npm run, pnpm run, yarn run, bun run, deno task, npm config, uv pip,"
            "uv tool, uv python, poetry self, poetry env, conda env, dotnet ef, dotnet tool, go mod, go work,"
            "cargo nextest, cargo install, rustup target, rustup component, rustup toolchain, flask db, nix flake,"
            "terraform workspace, terraform state, helm repo, helm dependency, ansible-galaxy collection,"
            "django-admin, composer run, composer run-script, mise run, hatch env, pre-commit run,"
            "zig build, wrangler d1, wrangler kv, argocd app, flux reconcile, minikube addons,"
            "brew services, flutter pub, dart pub, swift package"
        ),
        2,
    ),
    "dotnet ef migrations": 3,
    "dotnet ef database": 3,
    "gcloud compute": 3,
    "gcloud container": 3,
    "az webapp": 3,
    "prisma migrate": 2,
}

# Flags that say what is done, as a sub-command does, after this program or sub-command.
MODES: dict[str, frozenset[str]] = {
    "cmake": words("--build --install --preset --workflow -E"),
    "git checkout": words("-b -B"),
    "git switch": words("-c -C"),
    "git branch": words("-d -D -m"),
    "pacman": words("-S -Sy -Syu -R -Rs"),
    "dpkg": words("-i --configure"),
}

# Programs whose words are all arguments: files, patterns, addresses.
ARGUMENTS_ONLY = words(
    "rg grep egrep fgrep ag ack find fd fdfind sd sed awk gawk sort uniq cut tr wc head tail cat bat less more ls"
    " eza exa lsd"
    " tree jq yq pytest py.test nose2 mypy pyright ty black isort yapf flake8 pylint autopep8 bandit eslint prettier"
    " tsc ts-node tsx vitest jest mocha ava stylelint swc esbuild rollup webpack gcc g++ clang clang++ cc"
    " javac java kotlinc scala rustc rustfmt gofmt goimports ghc swiftc rspec rubocop phpunit phpstan psalm"
    " php-cs-fixer shellcheck shfmt hadolint yamllint markdownlint actionlint tflint clang-format clang-tidy cpplint"
    " protoc python python3 python2 node ruby perl php lua Rscript julia bash sh zsh dash pwsh powershell osascript"
    " mkdir rmdir rm cp mv ln touch chmod chown chgrp kill pkill killall tar zip unzip gzip gunzip dd tee truncate"
    " curl wget http https xh ssh scp rsync sftp ping nc dig nslookup telnet psql mysql sqlite3 mongosh redis-cli"
    " vim vi nano emacs code open xdg-open start type where which file stat du df diff cmp md5sum sha256sum base64"
    " echo printf source . export unset cd pushd popd alias eval sleep date read exit dot plantuml ffmpeg convert"
    " pandoc cmake"
)

# Programs that take names of tasks, which people spell as they like.
TASK_RUNNERS = words(
    "make gmake just task mise rake invoke inv nox tox gulp grunt jake gradle gradlew ./gradlew mvn mvnw ./mvnw nx"
    " turbo lerna rush"
    " lage moon bazel buck2 pants earthly mage doit poe sbt lein mix rails bin/rails artisan tilt dagger ant ninja"
    ""
)
TASKS_AFTER = phrases(
    "npm run, pnpm run, yarn run, bun run, deno task, composer run, composer run-script, npm run-script, mise run,"
    "nx run, turbo run"
)
SHORT_TASK_RUNNERS = words("pnpm yarn bun")  # `pnpm lint` runs the script `lint`

# Flags before a sub-command that take a value: `git -C DIR push`.
VALUE_FLAGS = words(
    "-C -c -f -p -n -H -R -w -F -P -pl --git-dir --work-tree --namespace --context --kubeconfig --prefix --workspace"
    " --filter --dir --cwd --manifest-path --project --directory --profile --region --repo --file --env-file"
    " --project-name --with --extra --group --python --package"
)

# Flags that change what a command does although a value may follow; others are told by their place.
SWITCHES = words(
    "--fix --write --force --force-with-lease --rebase --amend --hard --soft --mixed --cached --staged --check"
    " --watch"
    " --upgrade --build --release --locked --offline --no-cache --no-verify --no-edit --no-ff --ff-only --autostash"
    " --prune --abort --continue --skip --legacy-peer-deps --frozen-lockfile --immutable --save-dev --dev --editable"
    " --all-features --all-targets --workspace --force-recreate --remove-orphans --install --autocorrect --unsafe"
)
NOISE_FLAGS = words(
    "--verbose --quiet --silent --color --no-color --no-colour --json --no-pager --oneline --stat --name-only --short"
    " --debug --progress --no-progress --yes --no-input --non-interactive --help --version --graph --all --porcelain"
    " --pretty --stacktrace --info --reporter --nocapture --no-header --no-summary --message --title --body --output"
    " --no-ansi --ansi --plain --raw --interactive"
)

# Files that a tool itself prescribes; their names are the tool's words and not the person's.
MANIFESTS = words(
    "requirements.txt requirements-dev.txt dev-requirements.txt constraints.txt pyproject.toml setup.py setup.cfg"
    " tox.ini noxfile.py package.json package-lock.json pnpm-lock.yaml yarn.lock tsconfig.json deno.json Cargo.toml"
    " Cargo.lock go.mod go.sum Gemfile Gemfile.lock composer.json composer.lock pom.xml build.gradle build.gradle.kts"
    " settings.gradle gradle.properties Makefile CMakeLists.txt Dockerfile docker-compose.yml docker-compose.yaml"
    " compose.yml compose.yaml Pipfile Pipfile.lock poetry.lock uv.lock environment.yml mix.exs Package.swift"
    " pubspec.yaml .env .env.example .gitignore .npmrc .eslintrc.json .prettierrc justfile Justfile Taskfile.yml"
)
CONFIG_KINDS = words("toml json yaml yml cfg ini lock xml properties env conf gradle kts tf tfvars mod")

DOCUMENTS = words("*.md *.txt *.rst *.adoc *.log")  # written about the work; nothing follows from editing them

INTERPRETERS = words(
    "python python3 python2 node ruby perl php lua Rscript julia bash sh zsh dash deno bun tsx ts-node"
)
MODULES_WITH_COMMANDS = words("pip uv poetry flask django alembic celery pre_commit twine")
TOOL_SCRIPTS = words("manage.py setup.py artisan console noxfile.py bin/console bin/rails wp-cli.phar")

# Looks and changes nothing: neither a step of a workflow nor a cure.
READERS = words(
    "cd pushd popd ls eza exa lsd cat bat head tail less more wc which where whereis type file stat tree du df pwd"
    " date"
    " whoami id hostname uname uptime env printenv set alias history echo printf true false : test sleep wait read"
    " clear"
    " find fd fdfind grep egrep fgrep rg ag ack ugrep awk gawk sed sd sort uniq cut tr jq yq diff cmp comm column"
    " xxd od"
    " strings md5sum sha256sum shasum base64 basename dirname realpath readlink ps top htop lsof netstat ss pgrep man"
    " curl wget http https xh ping dig nslookup nc jobs fg exit return dir findstr gci get-childitem get-content"
    " select-string get-item get-location test-path write-output write-host measure-object tasklist systeminfo ver"
    " nul"
)
FOLDERS = words("src lib app apps tests docs dist out web packages pkg cmd internal scripts bin examples")
# Commands of a shell that are names of tasks elsewhere.
SHELL_WORDS = words("test type set read wait history clear jobs date stat file env tree man")
READING_WORDS = words(
    "status log logs show list ls view info describe inspect ps diff search help version which history tree env"
    " outdated cat tail checks blame why explain reflog shortlog branch rev-parse ls-files cat-file config remote"
    " freeze"
    " grep images metadata whoami output events top auth api"
)
READING_PHRASES = phrases("kubectl get, oc get, helm get, flux get, npm get")
# Touches files or processes in passing: may cure a failure, is no step worth learning.
UTILITIES = words(
    "mkdir rmdir rm cp mv ln touch chmod chown chgrp kill pkill killall tar zip unzip gzip gunzip dd tee truncate"
    " export"
    " unset source . eval rsync scp sftp ssh psql mysql sqlite3 mongosh redis-cli open xdg-open code vim vi nano"
    " python python3 node ruby perl php"
)
# Hands work on to others: the moment before which everything else has to be done.
BRINGING_OUT = words("commit push deploy release publish apply upload merge submit pr mr ship rollout promote")
PLAIN_GIT = phrases(
    "git add, git commit, git push, git pull, git fetch, git checkout, git checkout -b, git switch, git switch -c,"
    "git clone, git init"
)

# What only runs another program; the words after it are that program.
WRAPPERS = phrases(
    "npx, bunx, uvx, pipx run, uv run, poetry run, pdm run, pipenv run, hatch run, rye run, pixi run, conda run,"
    "bundle exec, pnpm exec, pnpm dlx, yarn dlx, yarn exec, npm exec, mise exec, mise x, direnv exec, devbox run,"
    "nix develop, nix-shell, op run, doppler run, dotenv, dotenvx run, docker compose exec, docker compose run,"
    "docker exec, podman exec, rtk, asdf exec, rbenv exec, volta run, cargo watch, entr, watchexec, stack exec,"
    "cabal exec, opam exec, rustup run, composer exec, heroku run, fly ssh, infisical run, chamber exec, aws-vault"
    " exec"
)
# Wrappers whose first plain word is a place: a service, a container, an environment.
PLACED_WRAPPERS = phrases("docker compose exec, docker compose run, docker exec, podman exec, direnv exec, rustup run")


# What a command is for, told by its own words: used to say where a correction holds.
STARTING = "when starting the application"
ACTIVITIES: dict[str, frozenset[str]] = {
    "when installing packages": words("install add i ci sync require get restore"),
    "when running tests": words("test tests unittest pytest jest vitest mocha rspec phpunit nextest tox nox"),
    "when pushing": words("push"),
    "when committing": words("commit"),
    "when switching branches": words("checkout switch branch"),
    "when merging or rebasing": words("merge rebase"),
    "when building": words("build compile assemble package webpack tsc esbuild rollup"),
    "when linting": words("lint eslint flake8 pylint clippy vet rubocop ruff biome stylelint golangci-lint"),
    "when checking types": words("typecheck type-check mypy pyright"),
    "when formatting code": words("fmt format black prettier gofmt rustfmt isort yapf"),
    "when migrating the database": words("migrate migration migrations"),
    "when deploying": words("deploy release publish"),
    STARTING: words("start serve dev up runserver"),
}
APPLICATION_STARTERS = TASK_RUNNERS | SHORT_TASK_RUNNERS | words("npm npx python flask next vite")
