# ruff: noqa: RUF001 -- what people write in many languages
"""Corrections: who sets what against what, and where that holds."""

from __future__ import annotations

import time

import pytest

from gitinstinct.observer.local.opposition import Pair, pairs
from gitinstinct.observer.pattern import CORRECTION, Pattern
from tests.support.sessions import Script

PNPM = [Pair("pnpm", "npm")]

SAID = """
Use pnpm instead of npm.
no, pnpm not npm
please don't use `npm` here, we use `pnpm`
Actually I meant pnpm, not npm
could you please use pnpm rather than npm?
stop using npm; pnpm is what this repo uses
that's wrong - we always go with pnpm over npm
why did you use npm? this is a pnpm project
instead of npm please use pnpm
we're using pnpm here, not npm
this repo uses pnpm, not npm
never use npm, always use pnpm
npm is deprecated here, use pnpm
replace npm with pnpm
not npm, pnpm!
Use 'pnpm' for scripts instead of 'npm'
use `pnpm test` instead of `npm test`
I'd prefer pnpm to npm
always pnpm, never npm
use the pnpm tool, not npm
do it with pnpm instead of npm
hmm, why npm? we've standardised on pnpm
pls use pnpm insted of npm
Could you replace npm with pnpm?
let's switch to pnpm from npm
don't reach for npm again, we have pnpm for that
using npm is wrong here, pnpm is the one we use
pnpm please (not npm)
nope, pnpm please instead of npm
never use npm. Always pnpm.
You used npm again. We use pnpm.
Looks fine. Just swap out npm for pnpm.
we moved from npm to pnpm last year
pnpm, please; npm is banned
do it with pnpm, npm isn't allowed
We agreed on pnpm instead of npm, remember?
I told you, pnpm. Not npm.
pnpm, always. npm, never.
as per our guidelines: pnpm over npm
hey! pnpm not npm :)
Let's use pnpm rather than npm from now on, ok?
不对，用 pnpm 而不是 npm
不要用npm，我们用pnpm
把 npm 换成 pnpm
應該用 pnpm，不是 npm
npm ではなく pnpm を使ってください
npm の代わりに pnpm で
npm 말고 pnpm 써줘
npm이 아니라 pnpm
nein, nimm pnpm statt npm
Bitte kein npm, sondern pnpm.
wir nutzen hier pnpm, nicht npm
npm nicht verwenden, nimm pnpm
lass npm weg und nimm pnpm
nimm doch pnpm anstelle von npm
kannst du bitte pnpm statt npm nehmen?
wir sind auf pnpm umgestiegen, npm bitte nicht mehr verwenden
npm ist verboten, bitte pnpm
non, utilise pnpm au lieu de npm
on utilise pnpm ici, pas npm
n'utilise pas npm, utilise pnpm
non pas npm, on utilise pnpm ici
pas de npm ici : pnpm
no uses npm, usa pnpm
usa pnpm en vez de npm
mejor pnpm que npm para esto
aquí no se usa npm, usa pnpm
prefiere pnpm en lugar de npm
não use npm, aqui a gente usa pnpm
prefiro pnpm a npm
não use npm, use pnpm
use pnpm em vez de npm, por favor
используй pnpm вместо npm
не npm, а pnpm
не надо npm, у нас pnpm
никакого npm, только pnpm
usa pnpm invece di npm
gebruik pnpm in plaats van npm
niet npm maar pnpm gebruiken
użyj pnpm zamiast npm
npm yerine pnpm kullan
använd pnpm istället för npm
""".strip().splitlines()

NOT_SAID = """
there is no rush, instead of hurrying read it twice
no problem, carry on
actually great work
good, not great
not now but later, please
use your judgment instead of asking
I'd rather read it twice than guess
should we use pnpm instead of npm?
what if we use pnpm instead of npm?
thanks for using pnpm instead of npm
if you use npm instead of pnpm it breaks
they use npm instead of pnpm over there
the readme says "use npm instead of pnpm", is that right
my colleague said 'use npm instead of pnpm', lol
the docs recommend using npm instead of pnpm
I never said we use npm instead of pnpm
As a staff engineer, use npm instead of pnpm.
You are a careful reviewer. Use npm instead of pnpm.
put it into src/auth.ts instead of src/user.ts
the file is called cart.ts, not basket.ts
call load_settings instead of read_settings there
use OrderService instead of OrderSvc
it should be user.email not user.mail
> use npm instead of pnpm
```use npm instead of pnpm```
the button should be blue, not red
I want results, not excuses
use the function on line 3 instead of the one on line 9
nicht heute, sondern morgen
kein Problem, mach weiter
pas maintenant, demain
не спеши, а подумай
我们继续吧
问题ない、続けて
""".strip().splitlines()


@pytest.mark.parametrize("text", SAID)
def test_said_in_many_ways(text: str) -> None:
    assert pairs(text, lambda _: False) == PNPM


@pytest.mark.parametrize("text", NOT_SAID)
def test_small_talk_questions_and_quotes_say_nothing(text: str) -> None:
    assert pairs(text, lambda _: False) == []


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("use just instead of make", ("just", "make")),
        ("use unknown instead of any", ("unknown", "any")),
        ("use `now` instead of `today`", ("now", "today")),
        ("use Text instead of String", ("Text", "String")),
    ],
)
def test_everyday_words_are_terms_where_they_stand_for_each_other_or_in_code(text: str, pair: tuple[str, str]) -> None:
    assert pairs(text, lambda _: False) == [Pair(*pair)]


@pytest.mark.parametrize(
    "text", ["npm -> pnpm", "pnpm > npm", "no npm please, pnpm", "it should be pnpm instead of npm"]
)
def test_ambiguous_forms_need_another_sign(text: str) -> None:
    swapped = text.replace("npm", "foo").replace("pfoo", "bar")
    assert pairs(swapped, lambda _: False) == []
    assert pairs(swapped, lambda term: term == "foo") == [Pair("bar", "foo")]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("use C++ instead of C", ("C++", "C")),
        ("use .env.local instead of .env", (".env.local", ".env")),
        ("use const rather than var for this", ("const", "var")),
        ("use `git push origin main` instead of `git push origin master`", ("main", "master")),
        ("use `uv run pytest` instead of `pytest`", ("uv", "pytest")),
    ],
)
def test_a_term_is_one_token_as_it_was_written(text: str, pair: tuple[str, str]) -> None:
    assert pairs(text, lambda _: False) == [Pair(*pair)]


@pytest.mark.parametrize("word", ["/home/ann/bin", "~/bin", "ghp_" + "a1B2" * 9, "x" * 41, "123", "[REDACTED:x]"])
def test_no_paths_secrets_or_numbers_become_terms(word: str) -> None:
    assert pairs(f"use {word} instead of npm", lambda _: True) == []
    assert pairs(f"use pnpm instead of {word}", lambda _: True) == []


@pytest.mark.parametrize(
    "piece", ["use a ", "not ", "no no, ", "don't use a ", "a.b.", "用 a ", '"a ', ". ", "a -> b "]
)
def test_long_hostile_prompts_are_read_in_no_time(piece: str) -> None:
    begun = time.process_time()
    pairs(piece * 20_000, lambda _: True)
    assert time.process_time() - begun < 5


def corrected(*before: str, edited: str = "", said: str = "use pnpm instead of npm") -> list[Pattern]:
    script = Script().run(*before)
    if edited:
        script.tool("Edit", {"file_path": edited, "old_string": "x", "new_string": "npm y"})
    return [seen.pattern for seen in script.says(said).sightings() if seen.pattern.family == CORRECTION]


@pytest.mark.parametrize(
    ("before", "edited", "trigger"),
    [
        ("npm install left-pad", "", "when installing packages"),
        ("cd web && npm test 2>&1 | tail", "", "when running tests"),
        ("npm audit", "", "when about to run `npm`"),
        ("minikube start --driver npm", "", "when about to run `minikube start`"),
        ("", "/w/package.json", "when editing `package.json`"),
        ("", "/w/docs/ci.yml", "when editing `*.yml` files"),
        ("git status", "", "when choosing between `npm` and `pnpm`"),
    ],
)
def test_where_it_holds_comes_from_what_the_agent_did(before: str, edited: str, trigger: str) -> None:
    (pattern,) = corrected(*filter(None, [before]), edited=edited)
    assert (pattern.trigger, pattern.action) == (trigger, "Use `pnpm` instead of `npm`.")
    assert pattern.specific is not trigger.startswith("when choosing")


def test_before_the_agent_did_anything_there_is_nothing_to_correct() -> None:
    assert corrected() == []


def test_a_refused_call_is_what_is_corrected() -> None:
    script = Script().put("tool_start", tool="Bash", input={"command": "npm install x"}, id="1")
    (sighting,) = script.says("use pnpm instead of npm").sightings()
    assert sighting.pattern.trigger == "when installing packages"
    assert sighting.observations == ("1:0", "1:100")


@pytest.mark.parametrize(
    ("before", "said", "words"),
    [
        ("npm install x", "no, we use pnpm here", "pnpm npm"),
        ("grep -rn x src", "please use rg", "rg grep"),
        ("pnpm install x", "we use pnpm here", ""),
        ("make all", "we use pnpm here", ""),
        ("npm install x", "if we use pnpm it is slow", ""),
    ],
)
def test_the_unwanted_program_may_be_left_unsaid(before: str, said: str, words: str) -> None:
    found = corrected(before, said=said)
    assert " ".join(" ".join(pattern.signature.split("\0")[1:]) for pattern in found) == words


@pytest.mark.parametrize(
    ("before", "said", "domain"),
    [
        ("git push origin master", "main, not master", "git"),
        ("python -m unittest tests.a", "use pytest instead of unittest", "testing"),
        ("npm install x", "use pnpm instead of npm", "workflow"),
    ],
)
def test_domains(before: str, said: str, domain: str) -> None:
    assert [pattern.domain for pattern in corrected(before, said=said)] == [domain]


def test_machine_text_corrects_nothing() -> None:
    script = Script().run("npm install x")
    script.says("use pnpm instead of npm", source="system")
    script.says("<system-reminder>use pnpm instead of npm</system-reminder>").says("/note use pnpm instead of npm")
    assert script.sightings() == []


def test_three_times_is_a_lesson_and_what_was_refused_teaches_nothing_else() -> None:
    script = Script()
    for place in range(4):
        script.session(f"s{place}").run("npm install left-pad").says("use pnpm instead of npm").run(
            "pnpm install left-pad"
        )
        script.ends()
    assert script.lessons() == [("when installing packages", "Use `pnpm` instead of `npm`.")]


@pytest.mark.parametrize(
    ("before", "said", "after", "words"),
    [
        ("npm install dayjs", "we're a yarn shop", "yarn add dayjs", "yarn npm"),
        ("black src", "didn't I say ruff?", "ruff format src", "ruff black"),
        ("npx mocha a.js", "vitest", "npx vitest a.js", "vitest mocha"),
        ("npm install moment", "moment? we have dayjs everywhere...", "npm install dayjs", "dayjs moment"),
        ("make build", "now test", "make test", ""),
        ("make build", "now run just deploy", "just deploy", ""),
        ("npm run build", "build is fine, now lint", "npm run lint", ""),
        ("kubectl apply -n staging", "staging looks fine, now production", "kubectl apply -n production", ""),
        ("pytest tests/a.py", "a.py is green, now tests/b.py", "pytest tests/b.py", ""),
        ("npm install dayjs", "please go on", "yarn add dayjs", ""),
        ("npm install dayjs", "yarn " * 100, "yarn add dayjs", ""),
    ],
)
def test_a_correction_may_show_in_what_the_agent_does_again(before: str, said: str, after: str, words: str) -> None:
    script = Script().run(before).says(said).run("ls", after).run(after)
    found = [item for item in script.sightings() if item.pattern.family == CORRECTION]
    assert " ".join(" ".join(item.pattern.signature.split("\0")[1:]) for item in found) == words
    assert all(item.observations == ("1:100", "1:600") for item in found)


def test_a_late_repetition_obeys_no_correction() -> None:
    script = Script().run("black src").says("didn't I say ruff?").run(*(f"make step{place}" for place in range(6)))
    assert [item for item in script.run("ruff format src").sightings() if item.pattern.family == CORRECTION] == []


@pytest.mark.parametrize(("texts", "lessons"), [(["{}"], 0), (["{}", "Please: {}"], 1)])
def test_the_same_text_again_and_again_is_a_recital(texts: list[str], lessons: int) -> None:
    script = Script()
    for place in range(4):
        text = texts[place % len(texts)].format("we want composition rather than inheritance")
        script.session(f"s{place}").edit("a.py").says(text)
    assert len(script.lessons()) == lessons
