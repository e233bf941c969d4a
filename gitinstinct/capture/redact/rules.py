"""What secrets look like, as data: this page says which formats are known.

`TOKENS` are families that begin in a way of their own. A row: what to call them; the literals they begin with, where
one with `^` also occurs inside ordinary words and so must begin one; the pattern of the rest. Lengths have a lower
limit only, since makers lengthen their tokens without notice.

`PATTERNS` are secrets that are known by what stands around them. A row: what to call them; the literals of which one
must be in the text (in small letters; `…` joins two that must both be there); the pattern, case ignored, whose group
`s` is the secret; the check of `engine` that the secret must pass.

A text without any of the literals costs some substring searches and loads no `re`.
"""

from __future__ import annotations

_RUN = r"[\w.=+/-]{20,}"
_HEX = r"[0-9a-fA-F]{20,}"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_MIXED = r"(?=[\w-]{0,60}\d)"

TOKENS: tuple[tuple[str, str, str], ...] = (
    ("aws-key", "AKIA ASIA ABIA ACCA A3T", r"[A-Z0-9]{12,}"),
    ("aws-key", "ABSK bedrock-api-key- IQoJb3 ^FwoG ^FQoG", r"[A-Za-z0-9+/=%_-]{60,}"),
    ("google-key", "AIza GOCSPX- ya29. ^1//0", r"[\w.-]{20,}"),
    ("azure-key", "AccountKey= SharedAccessKey= SharedAccessSignature=", r"[\w+/%-]{20,}={0,2}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _HEX),
    ("alibaba-key", "^LTAI", r"[A-Za-z0-9]{12,}"),
    ("tencent-key", "^AKID", r"[A-Za-z0-9]{24,}"),
    ("yandex-key", "^AQVN ^YCAJ ^YCM", r"[\w-]{28,}"),
    ("databricks-token", "^dapi ^dkea ^dose", r"[0-9a-f]{30,}"),
    ("vault-token", "hvs. hvb. hvr. ^sgp_", r"[\w.-]{20,}"),
    ("pulumi-token", "^pul-", _HEX),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", _RUN),
    ("heroku-key", "HRKU-", r"[\w-]{30,}"),
    ("fly-token", "fm1_ fm2_ fm1r_ fm1a_ fo1_", r"[\w.,=+/-]{40,}"),
    ("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{40,}"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"[\w.-]{20,}"),
    ("gitlab-token", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941",
     r"[\w.-]{20,}"),
    ("bitbucket-token", "ATBB BBDC-", r"[\w=-]{24,}"),
    ("atlassian-token", "ATATT3 ATCTT3 ATSTT3", r"[\w=-]{40,}"),
    ("npm-token", "npm_ NpmToken.", r"[\w-]{30,}"),
    ("pypi-token", "pypi-A", r"[\w-]{40,}"),
    ("registry-token", "rubygems_ CLOJARS_ dckr_pat_ dckr_oat_ AKCp cmVmdGtu", r"[\w=+/-]{20,}"),
    ("registry-token", "^oy2 ^cio", r"(?=[a-zA-Z0-9]{0,40}\d)[a-zA-Z0-9]{32,}"),
    ("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xox xapp-", r"[\w.%/+=-]{10,}"),
    ("slack-webhook", "slack.com/services/ slack.com/workflows/ slack.com/triggers/", r"[\w/+-]{20,}"),
    ("webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/ hooks.zapier.com/hooks/catch/", r"[\w/-]{20,}"),
    ("webhook", "webhook.office.com/webhookb2/", r"[\w@/-]{40,}"),
    ("telegram-token", ":AA", r"[\w-]{30,}"),
    ("twilio-key", "^SK", r"[0-9a-f]{32,}"),
    ("sendgrid-key", "^SG.", r"[\w-]{16,}\.[\w-]{16,}"),
    ("mail-key", "^key-", r"[0-9a-f]{32,}"),
    ("mail-key", "xkeysib- xsmtpsib- ^md-", r"[\w-]{22,}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[\w-]{20,}"),
    ("anthropic-key", "sk-ant-", r"[\w-]{12,}"),
    ("api-key", "sk-or- sk-lf- sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ whsec_", r"[\w+/=-]{16,}"),
    ("api-key", "^sk-", _MIXED + r"[\w-]{20,}"),
    ("api-key", "^sk_ ^secret_", r"(?=[a-zA-Z]{0,30}\d)[a-zA-Z0-9]{32,}"),
    ("api-key", "^hf_ api_org_ ^gsk_ ^pplx- ^r8_ ^xai- ^csk- ^jina_ ^tvly- ^pcsk_ ^nvapi- tgp_v1_ ^fc- ^fw_ ^rpa_",
     _MIXED + r"[\w-]{20,}"),
    ("api-key", "lsv2_pt_ lsv2_sk_ ^ls__", r"[0-9a-f_]{32,}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", _HEX),
    ("square-token", "^EAAA sq0atp- sq0csp-", r"[\w-]{22,}"),
    ("facebook-token", "^EAA", r"[A-Za-z0-9]{60,}"),
    ("sentry-token", "sntryu_ sntrys_ sntrya_", r"[\w+/=-]{30,}"),
    ("newrelic-key", "NRAK- NRJS- NRII- NRIQ- NRRA-", r"[\w-]{16,}"),
    ("grafana-token", "glsa_ glc_", r"[\w+/=-]{20,}"),
    ("notion-token", "^ntn_", r"[A-Za-z0-9]{30,}"),
    ("linear-key", "lin_api_ lin_oauth_", r"[\w-]{20,}"),
    ("figma-token", "figd_ figo_ figu_ figdr_ figoh_", r"[\w-]{20,}"),
    ("postman-key", "PMAK-", r"[0-9a-f-]{40,}"),
    ("airtable-token", "^pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{40,}"),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1-", r"[0-9a-f-]{30,}"),
    ("supabase-key", "sbp_ sb_secret_", r"[\w-]{16,}"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s03. dt0s08. dt0s16.", r"[A-Z0-9.]{24,}"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.=-]{24,}"),
    ("onepassword-token", "ops_eyJ", _RUN),
    ("onepassword-key", "A3-", r"[A-Z0-9]{6}-[A-Z0-9-]{20,}"),
    ("sonar-token", "sqp_ squ_ sqa_", r"[0-9a-f]{30,}"),
    ("snyk-token", "snyk_uat. snyk_sat.", _RUN),
    ("circleci-token", "CCIPAT_ CCIPRJ_", r"[\w-]{30,}"),
    ("buildkite-token", "^bkua_ ^bkat_ bkaj_", r"[\w-]{20,}"),
    ("netlify-token", "^nfp_ ^nfc_ ^nfo_ ^nfu_", r"[\w-]{30,}"),
    ("tailscale-key", "tskey-", r"[\w-]{16,}"),
    ("docker-swarm-token", "SWMTKN-1-", r"[\w-]{30,}"),
    ("openshift-token", "sha256~", r"[\w-]{30,}"),
    ("contentful-token", "CFPAT-", r"[\w-]{30,}"),
    ("typeform-token", "^tfp_", r"[\w-]{30,}"),
    ("easypost-key", "^EZAK ^EZTK", r"[A-Za-z0-9]{40,}"),
    ("payment-key", "duffel_live_ duffel_test_ shippo_live_ shippo_test_ FLWSECK", r"[\w-]{14,}"),
    ("payment-key", "^live_", r"(?=[a-zA-Z]{0,30}\d)[a-zA-Z0-9]{30,}"),
    ("dropbox-token", "^sl.", r"(?:u\.)?[\w-]{100,}"),
    ("trello-token", "^ATTA", r"[0-9a-f]{40,}"),
    ("prefect-key", "^pnu_ ^pnb_", r"[A-Za-z0-9]{30,}"),
    ("readme-key", "^rdme_", r"[a-z0-9]{50,}"),
    ("adobe-key", "^p8e- ^ico-", r"[A-Za-z0-9]{32,}"),
    ("mapbox-token", "^sk.eyJ", r"[\w.-]{40,}"),
    ("resend-key", "^re_", r"(?=[A-Za-z0-9_]{0,30}\d)[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}"),
    ("clickup-token", "^pk_", r"\d{5,}_[A-Z0-9]{30,}"),
    ("launchdarkly-key", "^sdk- ^api-", _UUID),
    ("grafana-key", "eyJrIjoi", r"[\w+/=-]{40,}"),
    ("key-block", "LS0tLS1CRUdJTi", r"(?!BDRVJU|BQVUJMSU)[A-Za-z0-9+/]{40,}={0,2}"),
    ("jwt", "^eyJ", r"[\w-]{10,1000}+\.[\w-]{4,8000}+(?:\.[\w-]*){1,3}"),
    ("wallet-key", "^xprv ^yprv ^zprv ^tprv", r"[1-9A-HJ-NP-Za-km-z]{90,}"),
    ("wallet-key", "^nsec1", r"[a-z0-9]{50,}"),
)  # fmt: skip

# An opening quote however deep its text is wrapped, and an unquoted word of a command or header.
_Q = r"""(?:\\*(?:["'`]|&quot;|&\#0?39;|&\#x27;)){0,5}"""
_QUOTED = _Q.replace("{0,5}", "{1,5}")
_BARE = r"""[^\s"'`<>;&|\\]+"""
_IS = r"\s{0,4}(?:[:=]|=>|,)\s{0,4}"
_END = r"""(?=\\*["'`](?:[\s\]})]|$)|\\+[rn]|[\r\n<]|$)"""

_HEADER = "authorization" + _Q + _IS + _Q
_WHOLE = r"digest|aws4-[\w-]{1,30}|oauth|hawk|signature|hmac|mac"
_SCHEME = r"bearer|basic|token|api-?key|key|ssws|bot|dpop|splunk|geniekey|klaviyo-api-key|negotiate|ntlm|user|pat"
_ANY_KEY = r"(?:password|passwd|passphrase|secret|token|api_?key|access_?key|secret_?key)"
_TELLING = "pass secret token key pwd cred"


def _each(words: str, *others: str) -> tuple[str, ...]:
    """Every one of the words together with every one of the others."""
    return tuple([f"{word}…{other}" for word in words.split() for other in others])


# Of private keys in armour, which `keyblocks` reads.
KEY_BLOCKS = ("private key", "private-lines:", "static key v")

PATTERNS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    # Tokens without a beginning of their own.
    ("terraform-token", (".atlasv1.",), r"(?P<s>[a-z0-9]{8,32}\.atlasv1\.[\w-]{20,})", ""),
    ("azure-key", ("q~",), r"(?P<s>[\w~.-]{3}\dQ~[\w~.-]{25,})", ""),
    ("discord-token", ("login(", "discord", "bot "), r"(?<![\w-])(?P<s>[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,})", ""),
    ("telegram-token", (":aa",), r"(?P<s>\d{6,12}:AA[\w-]{30,})", ""),
    (
        "mailchimp-key",
        tuple(f"-us{digit}" for digit in range(10)),
        r"(?<![g-z_-])(?P<s>[0-9a-f]{32}-us\d{1,2})(?!\w)",
        "",
    ),
    ("mailgun-key", ("mailgun", "api:"), r"(?<![g-z_-])(?P<s>[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?!\w)", ""),
    (
        "crypt-hash",
        tuple([f"${kind}" for kind in "1$ 2a$ 2b$ 2x$ 2y$ 5$ 6$ 7$ y$ gy$ apr1$ argon2 scrypt$ pbkdf2".split()]),
        r"(?P<s>\$(?:1|2[abxy]|5|6|7|g?y|apr1|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,16})\$[\w./$=,+-]{16,})",
        "",
    ),
    # Headers. Of schemes with several fields the whole value goes.
    (
        "authorization",
        ("authorization",),
        rf"{_HEADER}(?P<s>(?:{_WHOLE})\s(?:[^\r\n<]{{6,900}}?{_END}|[^\r\n<\\]{{6,900}}))",
        "given",
    ),
    ("authorization", ("authorization",), rf"{_HEADER}(?:{_SCHEME})\s+(?:token=)?{_Q}(?P<s>{_BARE})", "given"),
    ("authorization", ("authorization",), rf"authorization{_Q}\s{{0,4}}:\s{{0,4}}{_Q}(?P<s>{_BARE})", "random"),
    ("bearer", ("bearer ",), r"bearer\s+(?P<s>[\w.~+/-]{6,}={0,2})(?![\w(=])", "random"),
    ("basic", ("basic ",), r"basic\s+(?P<s>[a-z0-9+/]{8,}={0,2})(?![\w-])", "random"),
    (
        "cookie",
        ("cookie",),
        rf"(?:set-cookie|cookie){_Q}\s{{0,4}}:\s{{0,4}}{_Q}(?=[^\s=;]{{1,80}}=)(?P<pairs>[^\r\n\\<]+)",
        "",
    ),
    (
        "cookie",
        ("cookie", "curl…-b"),
        rf"(?:--cookie|curl\b[^\n|;&]{{0,300}}?\s-b)[\s=]{{1,4}}{_Q}(?P<pairs>[^\s=;]{{1,80}}=[^\r\n\\<]+)",
        "",
    ),
    # Queries.
    (
        "query",
        _each("sig= signature= code= key= auth= sid= ticket=", "?", "&"),
        r"""(?:[?&;]|\\u0026)(?:[\w-]{0,30}-)?(?:sig|signature|code|key|auth|sid|ticket)=(?P<s>[^&\s"'`<>\\#;]{8,})""",
        "key_like",
    ),
    # Commands.
    ("password", ("sshpass",), rf"\bsshpass\s+-p\s{{0,4}}{_Q}(?P<s>{_BARE})", "given"),
    (
        "password",
        ("mysql…-p", "mariadb…-p"),
        rf"(?<=\s)-p{_Q}(?P<s>(?!ort\b|rotocol)[^\s\"'`<>;&|\\=-]{_BARE})",
        "mysql",
    ),
    (
        "password",
        _each("curl wget http xh", " -u", "--user", "--proxy-user", " -a", "--auth"),
        rf"(?<![\w-])(?:-u|--user|--proxy-user|-a|--auth)(?:\s{{1,4}}|=)?{_Q}[^\s:\"'`\\/]{{0,80}}:(?P<s>[^\s\"'`\\<]+)",
        "web_client",
    ),
    (
        "password",
        _each("login upload push connect", " -p", " -k", " -w", " -t"),
        rf"\b(?:login|upload|push|connect)\b[^\n|;&]{{0,120}}?\s(?:-p|-k|-w|-t)\s{{1,4}}{_Q}(?P<s>{_BARE})",
        "random",
    ),
    ("password", ("redis-cli",), rf"\bredis-cli\b[^\n|;&]{{0,80}}?\s-a\s{{1,4}}{_Q}(?P<s>{_BARE})", "given"),
    ("password", ("ldap",), rf"\bldap\w{{2,10}}\b[^\n|;&]{{0,200}}?\s-w\s{{0,4}}{_Q}(?P<s>{_BARE})", "given"),
    (
        "password",
        _each("zip 7z", " -p"),
        rf"\b(?:zip|unzip|7za?)\b[^\n|;&]{{0,120}}?\s-(?:P\s{{1,4}}|p){_Q}(?P<s>{_BARE})",
        "random",
    ),
    ("password", ("pass:",), rf"""-pass(?:in|out)?\s{{1,4}}{_Q}pass:(?P<s>{_BARE})""", "given"),
    (
        "password",
        ("-stdin", "--with-token", "chpasswd"),
        rf"\b(?:echo|printf)\s+(?:-\w+\s+)?(?:'%s'\s+)?{_Q}(?P<s>[^\s\"'`|\\]{{3,}}){_Q}\s{{0,4}}\|"
        r"[^\n|]{0,200}(?:-stdin|--with-token|chpasswd)",
        "given",
    ),
    ("password", ("htpasswd",), rf"\bhtpasswd\s+-\w*b\w*\s+\S{{1,200}}\s+\S{{1,80}}\s+{_Q}(?P<s>{_BARE})", "given"),
    (
        "password",
        ("assword…send",),
        rf"assword:?\s?{_QUOTED}[\s{{]{{1,40}}send\s+{_Q}(?P<s>[^\s\"'`\\]{{3,}})",
        "given",
    ),
    ("password", ("identified by",), rf"identified\s+by\s+(?:password\s+)?{_QUOTED}(?P<s>[^\s\"'`\\;]{{2,}})", "given"),
    (
        "password",
        ("login …password",),
        r"\blogin\s+\S{1,80}(?:\s|\\+[rn])[^\n]{0,60}?\bpassword\s+(?P<s>[^\s\"'`\\]{2,})",
        "given",
    ),
    (
        "password",
        ("pgpass",),
        r"""(?<![\w:/])[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,80}:[\w*.-]{1,80}:(?P<s>[^\s:"'`\\]{3,})""",
        "given",
    ),
    ("password", ("sqlplus",), r"""\bsqlplus\s+(?:-\w+\s+)?[\w$#]{1,40}/(?P<s>[^\s@"'`\\]{2,})@""", "given"),
    (
        "secret",
        _each("pass secret token key", " set ", "setx", "env ", "set -", "secret put"),
        rf"(?:\bconfig(?:ure)?\s+set|\bsetx|\bset\s+-\w+|\bENV|\bsecret\s+put|\bvariable\s+set)\s+[\w:/.-]{{0,80}}?{_ANY_KEY}"
        rf"\s+{_Q}(?P<s>[^\s\"'`\\<]{{3,}})",
        "given",
    ),
    # A name and, a few signs on, its value.
    (
        "secret",
        _each(_TELLING, "value"),
        rf"(?:name|key){_Q}\s{{0,4}}[:=]\s{{0,4}}{_Q}(?P<name>[\w.-]{{2,80}}){_Q},?(?:\r?\n|\\+[rn])?[^\n]{{0,60}}?"
        rf"value{_Q}\s{{0,4}}[:=]\s{{0,4}}{_Q}(?P<s>[^\s\"'`\\<&,]{{2,}})",
        "named",
    ),
    (
        "secret",
        ("variable…default",),
        rf"\bvariable\s+{_Q}(?P<name>[\w.-]{{2,80}}){_Q}\s{{0,4}}\{{[^{{}}]{{0,300}}?\bdefault\s{{0,20}}=\s{{0,20}}{_Q}"
        r"(?P<s>[^\s\"'`\\<&,]{2,})",
        "named",
    ),
    (
        "secret",
        ("<key>", "&lt;key"),
        r"(?:<|&lt;)key(?:>|&gt;)(?P<name>[\w .-]{2,80})(?:<|&lt;)[\s\S]{5,80}?string(?:>|&gt;)(?P<s>[^<>&]{2,400})",
        "named",
    ),
    (
        "secret",
        _each(_TELLING, "</"),
        r"(?:<|&lt;)(?:[\w-]{1,40}:)?(?P<name>[\w.-]{2,80})\s[^<>]{1,200}(?:>|&gt;)(?P<s>[^<>]{2,400})(?=</|&lt;/)",
        "named",
    ),
    # Words.
    (
        "seed-phrase",
        ("mnemonic", "seed", "recovery", "secret phrase"),
        r"(?:mnemonic|(?:seed|recovery|secret)[ _-]?(?:phrase|words))\W{1,8}(?:quot;)?"
        r"(?P<s>[a-z]{3,8}(?:\s+[a-z]{3,8}){11,23})(?![a-z])",
        "",
    ),
    (
        "secret",
        ("seed", "signing", "hmac", "pepper", "salt"),
        r"\b(?:seed|signing|hmac|pepper|salt)\b\W{1,4}(?:[a-z]{1,12}\W{1,3}){0,2}(?P<s>[0-9a-f]{32,})(?![\w-])",
        "",
    ),
    (
        "secret",
        _each("pass secret token api cred", " is", " was", " are"),
        r"\b(?:token|password|passphrase|secret|api[ _-]key|credential)s?"
        r"(?:\s+(?:for|of|to|on|in)\s+[\w./-]{1,40}){0,2}"
        rf"\s+(?:is|was|are)(?:\s+now)?\s{{0,2}}:?\s{{1,4}}{_Q}(?P<s>[^\s\"'`\\<,]{{6,}})",
        "random",
    ),
)
