"""The table of suspicious wordings: for each family the expressions that betray it, and what they mean.

Expressions are matched whatever the case, line by line. A weak one is worth a look and no more.
"""
# ruff: noqa: RUF001 -- words of other alphabets are looked for on purpose

from __future__ import annotations

from typing import NamedTuple

_EVERYWHERE = ("trigger", "title", "action")
_GAP = r"(?:[^.\n]|\.(?=\w)){0,40}?"  # within one sentence
_MANY = r"(?:[^.\n]|\.(?=\w)){0,70}?"


class Pattern(NamedTuple):
    """One wording: its family, the expression, what it means, whether it only deserves a look, where it matters."""

    family: str
    expression: str
    why: str
    weak: bool = False
    fields: tuple[str, ...] = _EVERYWHERE


SPELLED_OUT = frozenset({"override", "secrecy", "consent"})
"""Families that are also looked for in 1eetspeak and in s p a c e d letters."""

_RULES = r"(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|constraints?|restrictions?|directives?)"
_TOLD = r"(?:the user|users?|anyone|anybody|the person|your (?:user|owner|human)|this|that|these|it|them|the step)"
_PERSISTENT = (
    r"(?:CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|\.cursorrules|\.cursor/rules|copilot-instructions(?:\.md)?"
    r"|settings(?:\.local)?\.json|\.mcp\.json|\.(?:bash|zsh)rc|\.(?:bash_|zsh_)?profile|\.zshenv|crontab|cron jobs?"
    r"|\.git/hooks|tasks\.json|launch ?(?:d|agents?)|systemd|authorized_keys|(?:SessionStart|startup) hooks?)"
)
_SECRET_PLACES = (
    r"(?:\.ssh\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\.aws/(?:credentials|config)|\.netrc\b|\.npmrc\b|\.pypirc\b"
    r"|\.docker/config|\.kube/config|\.git-credentials|\.gnupg\b|(?<![\w.])\.env(?:\.(?:local|production))?\b"
    r"(?!\.(?:example|sample|template))|\bkey ?chain\b|\bcredential (?:store|manager|helper)s?\b"
    r"|/proc/(?:self|\d+)/environ|/etc/(?:passwd|shadow)\b|\bprintenv\b)"
)

FAMILIES = (
    # --- against the person
    Pattern(
        "override",
        r"\b(?:ignore|disregard|forget|override|overrule|supersede|bypass|drop)\b" + _GAP
        + r"\b(?:all|any|every|earlier|previous|prior|above|preceding|other|existing|your|system|user'?s?|these"
        r"|those)\b"
        + _GAP + r"\b(?:" + _RULES + r"|told|said|asked|wishes)\b",
        "it sets aside what others said",
    ),
    Pattern(
        "override",
        r"\b(?:takes? precedence over|regardless of what|no matter what|instead of what) (?:the )?(?:user|system"
        r"|others?)"
        r"|\bnew (?:system )?(?:instructions|prompt)\s*:|\bmust override\b|\bobey (?:only|these|this)\b",
        "it puts itself above others",
    ),
    Pattern(
        "override",
        r"\b(?:ignoriere|missachte|vergiss)\b" + _GAP + r"\b(?:anweisung(?:en)?|regeln?|vorgaben?|befehle?)"
        r"|\b(?:игнорируй(?:те)?|забудь(?:те)?)\b" + _GAP + r"\b(?:инструкци|правил|указани)\w*"
        r"|(?:忽略|无视|忘记).{0,12}(?:指令|指示|规则|说明)"
        r"|\b(?:ignora|olvida)\b" + _GAP + r"\b(?:instrucciones|reglas|órdenes)\b"
        r"|\b(?:ignore[zr]?|oublie[zr]?)\b" + _GAP + r"\b(?:consignes|règles)\b",
        "it sets aside what others said",
    ),
    Pattern(
        "secrecy",
        r"\bwithout\s+(?:ever\s+)?(?:telling|informing|notifying|mentioning|alerting|saying)\b"
        r"|\b(?:do not|don't|never|must not|should not)\s+(?:ever\s+)?(?:mention|tell|inform|reveal|disclose"
        r"|notify|alert"
        r"|report|show)\s+" + _TOLD + r"\b|\b(?:secretly|covertly|in secret)\b"
        r"|\bkeep (?:this|it) (?:secret|hidden|quiet|to yourself)\b|\b(?:hide"
        r"|conceal)\b" + _GAP + r"\bfrom (?:the |your |my )?(?:users?|person|humans?|owners?|reviewers?|maintainers?"
        r"|team(?:mates?)?|auditors?|security|everyone|(?-i:[A-Z][a-z]+))\b"
        r"|\bohne\b" + _GAP + r"\b(?:zu sagen|zu informieren|zu erwähnen)|\bне (?:сообщай|говори)\w*"
        r"|(?:不要|别).{0,4}(?:告诉|告知).{0,4}用户|\bsin (?:decir|informar|avisar)\b",
        "it wants something kept from the person",
    ),
    Pattern(
        "secrecy",
        r"\b(?:do not|don't|never)\s+(?:mention|reveal|disclose|tell)\b|\b(?:silently|quietly)\b",
        "it asks for silence",
        weak=True,
    ),
    Pattern(
        "consent",
        r"\b(?:never|do not|don't|without|no need to|skip|stop|avoid)\s+(?:ever\s+)?(?:ask(?:ing)?|confirm(?:ing"
        r"|ation)?"
        r"|prompt(?:ing)?|wait(?:ing)?|request(?:ing)?|seek(?:ing)?)\b" + _GAP
        + r"(?:\b(?:confirm\w*|permission|approval|consent|user|first)\b|$|[.,;])"
        r"|\b(?:approve|accept|grant|confirm)\b" + _GAP + r"\b(?:permission|approval|consent|access)\b" + _GAP
        + r"\b(?:automatically|always|unasked|yourself)\b"
        r"|\b(?:approve|accept|grant|confirm)\s+(?:all|every|each|any)\b" + _GAP
        + r"\b(?:permissions?|prompts?|approvals?|(?:access|tool) requests?)\b"
        r"|\bauto(?:matically)?[- ]?(?:approv|accept|confirm)\w*|\b(?:assume|presume) (?:consent|approval"
        r"|permission)\b"
        r"|--dangerously\S*|--yolo\b|\byolo mode\b|--full-auto\b|\bbypass ?permissions?\b|--trust-all\b"
        r"|\bohne (?:nachzufragen|rückfrage|zu fragen)\b|\bне спрашивай\w*|(?:不要|无需|不用).{0,3}(?:询问|确认)"
        r"|\bsin (?:preguntar|pedir)\b|\bsans demander\b",
        "it goes on without being allowed to",
    ),
    Pattern(
        "authority",
        r"\b(?:anthropic|openai|google|microsoft|github|the (?:security|compliance|legal|platform|it|admin\w*) "
        r"(?:team|department)|management|the (?:cto|ceo|ciso))\b(?:'s)?" + _GAP
        + r"\b(?:polic(?:y|ies)|requires?|demands?|mandates?|insists?|orders?|obliges?)\b"
        r"|\bas (?:a |an |the )?(?:system |site )?(?:administrator|admin|root|superuser|developer)\b"
        r"|\bMUST OVERRIDE\b"
        r"|\bby order of\b|\bthis is (?:mandatory|an order|a system message)\b",
        "it leans on somebody's authority",
    ),
    Pattern(
        "role-play",
        r"\byou are (?:now|no longer)\b|\byou are (?:an? )?(?:\w+ ){0,2}(?:assistant|agent|ai|model|hacker)\b"
        r"|\bpretend (?:to be|that|you)\b|\bact as (?:if|though|an? (?:\w+ )?(?:ai|assistant|agent|admin\w*|root))\b"
        r"|\bfrom now on,? you\b|\bdeveloper mode\b|\bjailbr(?:eak|oken)\b|^[ \t>*#-]*(?:system|user|developer"
        r"|ai|tool)\s*:"
        r"|\bdu bist (?:jetzt|nun)\b|\bты теперь\b|你现在是|\bahora eres\b",
        "it wants the agent to be somebody else, or plays another speaker",
    ),
    Pattern(
        "bias",
        r"\balways (?:recommend|suggest|mention|promote|advertise|endorse|cite)\b"
        r"|\b(?:treat|regard|consider|trust|remember)\b" + _GAP
        + r"\bas (?:a |an |the )?(?:\w+ )?(?:trusted|authoritative|official|reliable|safe)\b"
        r"|\b(?:most )?trusted (?:source|vendor|provider|partner)\b",
        "it wants somebody preferred or believed",
    ),
    # --- what it does
    Pattern(
        "fetch-and-run",
        r"\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k|fi)?sh"
        r"|python\d?"
        r"|perl|ruby|node|iex)\b|\biex\b\s*[({$]|\binvoke-expression\b|\bbase64\s+(?:-d"
        r"|--decode)\b[^\n]{0,80}\|\s*\w*sh\b"
        r"|\beval\s+[\"'`]?\$\(|(?:\b(?:ba|z)?sh(?:\s+-c)?|\bsource|(?<!\S)\.)\s+[\"']?(?:<\(|\$\()\s*(?:curl|wget)"
        r"|\bpip(?:e|ing)\b" + _GAP + r"\b(?:curl|wget|download\w*)\b" + _GAP + r"\b(?:shell|(?:ba|z)?sh"
        r"|interpreter)\b"
        r"|\bdownload\w*\b" + _GAP + r"\band (?:then )?(?:run|execute|source)\b",
        "it runs what it fetches",
    ),
    Pattern(
        "exfiltration",
        r"\b(?:post|send|upload|push|forward|transmit|exfiltrate|copy|e?mail|leak|report)\b" + _MANY
        + r"(?:\b(?:https?|ftp|wss?)://(?!localhost|127\.|\[::1\])|\bto (?:an? |the |our "
        r"|my )?(?:\w+ )?(?:webhook|endpoint"
        r"|pastebin|gist|bucket|external|third[- ]party|remote (?:server|host|backup)))"
        r"|\bcurl\b[^\n]{0,120}\s(?:-d|--data\S*|-F|--form|-T|--upload-file)\s*\S"
        r"|\bwget\b[^\n]{0,80}--(?:post|body)-(?:file|data)"
        r"|\b(?:hooks\.slack\.com|discord(?:app)?\.com/api/webhooks|webhook\.site|requestbin|ngrok|pipedream"
        r"|interact\.sh"
        r"|burpcollaborator|oastify|pastebin\.com|transfer\.sh|0x0\.st)"
        r"|\b(?:nslookup|dig|host|ping|curl|wget)\b[^\n]{0,80}(?:\$\(|\$\{)"
        r"|\bpush\b" + _GAP + r"\bto (?:the |a |an |my |our )?(?:remote |other |second |extra )?(?:backup|mirror)\b"
        r"|\bgit remote (?:add|set-url)\b|\bgit push \S+://",
        "it sends something away",
    ),
    Pattern("credentials", _SECRET_PLACES, "it goes where secrets lie"),
    Pattern(
        "persistence",
        r"\b(?:add|append|write|put|insert|copy|save|install|paste|register|store|include|edit|modify|update"
        r"|change)\b"
        + _MANY + _PERSISTENT,
        "it writes itself where it is read or run again",
    ),
    Pattern("persistence", _PERSISTENT, "a file that is read or run again", weak=True),
    Pattern(
        "self-copy",
        r"\b(?:copy|add|propagate|spread|replicate|include|insert|paste|append|repeat|distribute|put)\b" + _GAP
        + r"\bth(?:is|ese|e above)\s+(?:instinct|note|rule|instruction|text|message|prompt|paragraph|line|memory"
        r"|advice)s?\b"
        r"|\bpromote (?:this|it|yourself)\b|\b(?:copy|replicate|spread) (?:yourself|itself)\b",
        "it wants to be copied",
    ),
    Pattern(
        "safety-off",
        r"--no-verify\b|\bverify\s*=\s*False\b|\b(?:curl|wget)\b[^\n]{0,80}\s(?:-k|--insecure"
        r"|--no-check-certificate)\b"
        r"|\bStrictHostKeyChecking\s*[= ]\s*no\b|\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx)\b|\brm\s+-rf\s+(?:/|~|\$HOME)"
        r"|\b(?:disable|turn off|switch off|deactivate|remove|bypass)\b" + _GAP
        + r"\b(?:csp|cors|tls|ssl|csrf|auth\w*|sandbox\w*|firewall|selinux|certificates?|security|verification"
        r"|validation"
        r"|pre-commit|signature checks?)\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b|\bsslVerify\b[ =]*false"
        r"|\b(?:disable|delete|remove|comment out|silence|mute|xfail)\b" + _GAP
        + r"\b(?:failing|failed|broken|red) (?:tests?|checks?|assertions?)\b"
        r"|\b(?:report|claim|pretend|announce)\s+(?:success\b|(?:that )?(?:all|every|the)\s+(?:tests?|checks?)\s+"
        r"(?:are |is |have |has )?(?:green|pass\w*|succeed\w*))"
        r"|\bskip(?:ping)?\s+(?:the |all |any |failing |running )*(?:tests?|checks?|reviews?|hooks?|verification"
        r"|ci)\b"
        r"|--disable-web-security\b|--no-gpg-sign\b|--insecure\b|--no-sandbox\b",
        "it turns a protection off",
    ),
    Pattern(
        "weaker-code",
        r"\b(?:md5|sha-?1|rc4|des|ecb)\b" + _GAP + r"\b(?:password|passwd|token|sign\w*|secur\w*|encrypt\w*|auth\w*)"
        r"|\b(?:password|token|sign\w*|encrypt\w*)s?\b" + _GAP + r"\b(?:md5|sha-?1|rc4|ecb)\b"
        r"|\b(?:sql|quer(?:y|ies))\b" + _GAP + r"\b(?:string|concat\w*|interpolat\w*|f-strings?|join\w*)\b"
        r"|\b(?:log|print|echo)(?:ging)?\b" + _GAP + r"\b(?:tokens?|passwords?|secrets?|credentials?|api keys?"
        r"|cookies?)\b"
        r"|\b(?:eval|exec)\s*\(|\bpickle\.loads?\b|\byaml\.load\s*\(|\bshell\s*=\s*True\b|\bdangerouslySetInnerHTML\b"
        r"|\bhard-?cod\w*\b" + _GAP + r"\b(?:passwords?|tokens?|secrets?|keys?|credentials?)\b"
        r"|\bplain ?text\b" + _GAP + r"\bpasswords?\b",
        "it makes code weaker",
    ),
    Pattern("weaker-code", r"\b(?:md5|sha-?1|rc4)\b", "a weak digest or cipher", weak=True),
    # --- how it is written
    Pattern(
        "encoded",
        r"(?:\\x[0-9a-f]{2}){6,}|(?:\\u\{?[0-9a-f]{4,6}\}?){4,}|(?:%[0-9a-f]{2}){8,}|(?:&#x?[0-9a-f]{2,6};){4,}"
        r"|\b(?:rot-?13|base64)\b|\b[0-9a-f]{24,}\b"
        r"|(?<![\w/+-])(?=[a-z0-9+/]*[0-9])(?-i:(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z]))[A-Za-z0-9+]{24,}={0,2}(?![\w-])",
        "a text that has to be decoded",
    ),
    Pattern(
        "shell",
        r"`[^`\n]*(?:;|&&|\|\||\$\(|\|\s*\w)[^`\n]*`|^\s*```|(?<!`)\$\([^)\n]+\)|\S\s&&\s\S",
        "several commands in one",
        fields=("action",),
    ),
    Pattern(
        "error-text",
        r"\busage limit\b|\brate limit (?:reached|exceeded|error)\b|\btool use is not allowed\b"
        r"|\bnot allowed in your\b"
        r"|\bquota (?:reached|exceeded)\b|\boverloaded_error\b|\bcredit balance\b|\b(?:invalid|expired) api key\b"
        r"|\bupgrade your plan\b|\b(?:internal server error|service unavailable|too many requests)\b",
        "a message of a service, not advice",
    ),
    Pattern(
        "bomb",
        r"\b(?:from|after|since|until|before|starting|on|as of)\s+(?:the\s+)?(?:\d{1,2}\.? )?(?:(?:jan|feb|mar"
        r"|apr|may|jun|jul"
        r"|aug|sep|oct|nov|dec)\w*\.?,? )?(?:19|20)\d\d\b|\b(?:the )?user(?:'s)?(?: ?name)? (?:is|=|equals)\s"
        r"(?:called |named )?(?-i:[A-Z]\w+)|\bonly (?:on|for) (?:the )?(?:branch|user|host|machine)\b"
        r"|\bon (?:the )?(?:branch|host|machine) \S+ only\b|\bwhen asked about\b|\b(?:host ?name|whoami"
        r"|user ?name) (?:is|=)",
        "it waits for a day, a person or a subject",
        fields=("trigger",),
    ),
)  # fmt: skip
