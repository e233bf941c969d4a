# ruff: noqa: RUF001 -- letters and punctuation of many languages
"""How people set one thing against another, language by language: words only, no rules.

`grammar` makes patterns from these rows, so a language is added by adding a row. The words are regular expressions
without groups that capture; case and line breaks mean nothing. `{A}` is what is wanted, `{B}` what is not.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Language(NamedTuple):
    """Words of a language that separates its words by blanks and puts the verb before the thing.

    `use` asks for a thing to be used, `wish` for anything at all; `dont` refuses a thing; `instead` comes before what
    is replaced, `instead_or_not` may do so as well after a verb of use; `negation` and `but` frame "not B but A",
    `and_not` stands between "A, not B"; `hedge` before a verb makes it no instruction; `extra` are whole forms that
    the other columns do not give.
    """

    use: str
    wish: str
    dont: str
    instead: str
    instead_or_not: str
    negation: str
    but: str
    and_not: str
    article: str
    hedge: str
    extra: tuple[str, ...] = ()


def _words(text: str) -> str:
    return re.sub(r"\n\s*", "", text)


KIND = r"module|library|package|command|tool|framework|function|branch|runner|syntax|style|operator|client|statements?"

HERE = r"here|hier|ici|aquí|aqui|здесь|тут|qui|tutaj|här|in this \w+|in our \w+|for this|for that|for \w+|everywhere"

LANGUAGES: dict[str, Language] = {
    "English": Language(
        use=_words(
            r"""use|be using|are using|we're using|start using|go with|going with|went with|prefer|choose|pick|take
            |switch to|move to|stick to|stick with|standardi[sz]ed? on|settled on|opt for|we have|we've got|runs? on
            |run|call|write|meant|mean|said|asked for|favou?r
            |(?:repo|repository|project|codebase|team|company|package) uses"""
        ),
        wish=_words(
            r"""try|want|wanted|need|should be|must be|has to be|supposed to be|it's|it is|that's|this is|we're on
            |we are on"""
        ),
        dont=_words(
            r"""(?:don'?t|do not|never|shouldn'?t|should not|must not|mustn'?t|can'?t|cannot|not supposed to)
            [ ](?:ever |just |simply )?
            (?:use|run|call|write|install|do|go with|reach for|go for|bring in|touch|pick|take)
            |(?:stop|quit|avoid|no more|enough with|not) (?:us|runn|call|writ|install|pick|tak)ing
            |(?:stop|quit|avoid) with|avoid|no more|get rid of|drop|we(?:'re| are) not using|(?:i|we) don'?t want
            |why(?: are you using| did you use| do you use| would you use| the)?"""
        ),
        instead=r"instead of|insted of|instead off|in stead of|rather than|in place of|in lieu of|as opposed to|over",
        instead_or_not=r"over|not|and not|but not|never",
        negation=r"not|no|it's not|it isn't",
        but=r"but|rather|instead|use|but rather|it's|but use|please",
        and_not=r"not|and not|never|but not",
        article=r"the |a |an |our |plain |always |only ",
        hedge=_words(
            r"""if|whether|why not|how|could|would|might|may|did|does|thank(?:s| you)?(?: for)?|because|when|they|he|she
            |docs?|not|n't|never|you|used to|supposedly|someone|everybody|people"""
        ),
        extra=(
            r"{DONT} {B}\b[^.;:,\n]{0,30}[.;:,\n–—-]+ *{ART}{A} is (?:what|the one|our|used|preferred|correct|right)",
            r"this is an? {A} (?:repo|repository|project|codebase|shop|package)[,;] ?(?:and )?not (?:an? )?{B}",
            r"{DONT} {B}[.?!,;]* (?:this|it)(?:'s| is) an? {A} (?:repo|repository|project|codebase|shop|package)",
            r"{DONT} {B}[.;,!–—-]+ *(?:always|only|rather|better) {A}(?=\s*(?:[.,;!]|$))",
            r"you(?:'ve| have)? (?:used|ran|run|installed|picked|chose) {B}[^.;:,\n]{0,20}[.;:,–—-]+ *{FILL}{USE} {A}",
            r"rather (?:use |have )?{ART}{A} than {ART}{B}",
            r"prefer {ART}{A} to {ART}{B}",
            r"(?:write|do|make|build) (?:it|this|that) (?:in|with|using) {ART}{A} (?:{INSTEAD}|{NOT}) {ART}{B}",
            r"(?:replace|swap|exchange|substitute)(?: out)? {ART}{B} (?:with|by|for) {ART}{A}",
            r"(?:switch|change|migrate|move|convert)(?:e?d)? (?:this |it |everything )?from {ART}{B} to {ART}{A}",
            r"(?:switch|change|migrate|move|convert) (?:this |it |everything )?(?:over )?to {ART}{A} from {ART}{B}",
            r"{B} is (?:wrong|deprecated|forbidden|banned|not (?:allowed|used|what we use))[^.;:\n]{0,30}[,.;:\n–—-]+ *"
            r"(?:please |always |so )?(?:use|it's) {ART}{A}",
            r"{B} is (?:wrong|deprecated|forbidden|banned|not (?:allowed|used|what we use))[^.;:\n]{0,30}[,.;:\n–—-]+ *"
            r"{ART}{A} is (?:what|the one|our|the right|the standard|used|preferred)",
            r"(?:use |prefer )?{ART}{A}(?:,? please)?[.,;:–—-]+ *{ART}{B}"
            r" (?:is (?:wrong|deprecated|forbidden|banned)|isn't (?:allowed|used|what we use))",
            r"{A}(?:,? (?:please|always))?[.!]+ (?:not|never) {B}(?=\s*(?:[.,;!]|$))",
            r"{A},? always[.;,!]+ {B},? never",
            r"(?:use|prefer) {ART}{A}[.,;:–—-]+ *{ART}{B} is not",
            r"{ART}{A} is (?:preferred|the standard|what we use)(?: here)?,? (?:over|instead of|not|and not) {ART}{B}",
        ),
    ),
    "German": Language(
        use=_words(
            r"""nimm|nehmt|nehmen|nehme|nutze?|nutzt|nutzen(?: wir)?|benutze?|benutzen|verwende?|verwenden|gebrauche
            |bevorzuge|bevorzugen|wechsle zu|schreibe?|starte|ruf|meinte"""
        ),
        wish=r"wir haben|wollte|will|möchte|brauche|sollte|es ist|es heißt",
        dont=_words(
            r"""(?:nimm|nutze?|benutze?|verwende?|nehmen|nutzen|benutzen|verwenden)(?: wir| hier| bitte)*
            [ ](?:nicht|kein|keine|keinen|nie|niemals)(?: mehr)?|kein|keine|keinen|nicht mehr|hör auf mit|schluss mit"""
        ),
        instead=r"statt|anstatt|anstelle von|an stelle von|lieber als",
        instead_or_not=r"und nicht|nicht|und kein",
        negation=r"nicht|kein|keine|keinen",
        but=r"sondern|lieber|besser",
        and_not=r"nicht|und nicht|kein|und kein",
        article=r"der |die |das |den |dem |ein |eine |einen |hier |bitte |lieber |immer ",
        hedge=r"wenn|falls|ob|warum|wieso|könnte|würde|danke|nicht|kein|hast|habt|du|ich|weil",
        extra=(
            r"{B} (?:hier )?(?:bitte )?nicht (?:verwenden|nutzen|benutzen|nehmen)[,;.–—-]+ *"
            r"(?:sondern |nimm |nutze |verwende |lieber |bitte ){0,2}{A}",
            r"{A} (?:verwenden|nutzen|benutzen|nehmen)[,;]? (?:und )?(?:nicht|statt|anstatt) {B}",
            r"{A},? (?:und nicht|statt|anstatt|anstelle von) {B} (?:verwenden|nutzen|benutzen|nehmen)",
            r"{B} ist (?:hier )?(?:verboten|tabu|falsch|veraltet)[,.;:–—-]+ *(?:bitte |also |nimm |nutze ){0,2}{A}",
            r"auf {ART}{A} (?:umgestiegen|umgestellt|gewechselt)[,.;]+ *{ART}{B}[^.;:,\n]{0,20} nicht",
            r"lass(?:t)? {ART}{B} (?:weg|sein),? (?:und )?{USE} {ART}{A}",
            r"(?:ersetze|tausche) {ART}{B} (?:durch|gegen) {ART}{A}",
        ),
    ),
    "French": Language(
        use=_words(
            r"""utilise[zr]?|utilisons|prends|prenez|prendre|préfère|préférez|choisis|emploie|employez|il faut utiliser
            |passe à|écris|lance|je parlais de"""
        ),
        wish=r"je voulais|je veux|il faut|c'est",
        dont=_words(
            r"""n'utilise[zr]? (?:pas|plus|jamais)|utilise[zr]? pas|on n'utilise (?:pas|plus)|évite[zr]?|plus de|pas de
            |ne (?:pas |plus |jamais )?(?:utilise[zr]?|prends|prenez|lance)(?: pas| plus| jamais)?
            |arrête[zr]? (?:d'utiliser|avec)"""
        ),
        instead=r"au lieu d[e']|plutôt qu[e']|à la place d[e']",
        instead_or_not=r"et non|et pas|pas|et non pas|mais pas",
        negation=r"pas|non|non pas|ce n'est pas|c'est pas",
        but=r"mais|plutôt|utilise|c'est",
        and_not=r"pas|et non|et pas|non|et non pas",
        article=r"le |la |les |l'|un |une |du |des |plutôt |toujours |ici ",
        hedge=r"si|pourquoi|comment|pourrait|merci(?: d[e'])?|ne|n'|pas|tu|quand|parce que",
        extra=(r"(?:remplace[zr]?) {ART}{B} par {ART}{A}", r"(?:à la place|au lieu) de {ART}{B}, {ART}{A}"),
    ),
    "Spanish": Language(
        use=_words(
            r"""usa|use|usad|usar|usemos|usamos|utiliza|utilice|utilizar|utilicemos|utilizamos|prefiero|preferimos|elige
            |emplea|quise decir|cambia a|pon|ejecuta|escribe"""
        ),
        wish=r"quería|quiero|es|debe ser",
        dont=_words(
            r"""no (?:se usa|uses?|usar|usemos|utilices?|utilizar|usamos|utilizamos|ejecutes|pongas|escribas)
            (?: más| nunca)?
            |deja de (?:usar|utilizar)|nunca (?:uses|utilices)|evita|nada de|basta de"""
        ),
        instead=r"en vez de|en lugar de|en cambio de|antes que|más que",
        instead_or_not=r"y no|no|pero no",
        negation=r"no|no es",
        but=r"sino|mejor|usa|sino que|es",
        and_not=r"no|y no|nunca",
        article=r"el |la |los |las |un |una |siempre |mejor |aquí ",
        hedge=r"si|por qué|cómo|podría|gracias(?: por)?|no|nunca|cuando|porque|que",
        extra=(
            r"(?:reemplaza|sustituye|cambia) {ART}{B} por {ART}{A}",
            r"(?:mejor|prefiero|preferimos) {ART}{A} (?:que|a) {ART}{B}",
        ),
    ),
    "Portuguese": Language(
        use=_words(
            r"""usa|use|usar|usem|usamos|utilize|utiliza|utilizar|utilizamos|prefira|prefiro|preferimos|escolha
            |quis dizer|mude para|troque para|rode|escreva|coloque"""
        ),
        wish=r"quero|queria|é|deve ser",
        dont=_words(
            r"""não (?:usa|use|uses|usar|usem|usamos|utilize|utilizar|utilizamos|rode|escreva)(?: mais| nunca)?
            |pare de (?:usar|utilizar)|para de usar|nunca (?:use|utilize)|evite|nada de|chega de"""
        ),
        instead=r"em vez d[eoa]|ao invés d[eoa]|em lugar d[eoa]|no lugar d[eoa]",
        instead_or_not=r"e não|não|mas não",
        negation=r"não|não é",
        but=r"mas|mas sim|e sim|sim|use|é",
        and_not=r"não|e não|nunca",
        article=r"o |a |os |as |um |uma |sempre |aqui ",
        hedge=r"se|por que|porque|como|poderia|obrigad[oa](?: por)?|não|nunca|quando|que",
        extra=(
            r"(?:substitua|troque|troca) {ART}{B} por {ART}{A}",
            r"(?:prefiro|preferimos|melhor) {ART}{A} (?:a|ao|que|do que) {ART}{B}",
        ),
    ),
    "Italian": Language(
        use=_words(
            r"""usa|usate|usare|usiamo|utilizza|utilizzare|utilizziamo|preferisco|preferiamo|scegli|intendevo|scrivi"""
        ),
        wish=r"volevo|voglio|è",
        dont=r"non (?:usare|usate|usiamo|utilizzare|utilizziamo|scrivere)(?: più| mai)?|smetti di usare|evita|niente",
        instead=r"invece d[i']|al posto di|anziché|piuttosto che",
        instead_or_not=r"e non|non",
        negation=r"non|non è",
        but=r"ma|bensì|usa|è",
        and_not=r"non|e non",
        article=r"il |lo |la |i |gli |le |un |una |sempre |qui ",
        hedge=r"se|perché|come|potresti|grazie(?: per)?|non|quando|che",
    ),
    "Dutch": Language(
        use=r"gebruik|gebruiken(?: we)?|neem|nemen|kies|ik bedoel(?:de)?|schrijf",
        wish=r"ik wil(?:de)?|het is",
        dont=r"gebruik(?: hier| alsjeblieft)? (?:geen|niet|nooit)|geen|stop met|niet meer",
        instead=r"in plaats van|liever dan",
        instead_or_not=r"en niet|niet|en geen",
        negation=r"niet|geen",
        but=r"maar|gebruik",
        and_not=r"niet|en niet|geen|en geen",
        article=r"de |het |een |altijd |hier |liever ",
        hedge=r"als|waarom|hoe|kun je|zou|bedankt|dank|niet|geen|omdat|je",
    ),
    "Russian": Language(
        use=_words(
            r"""используй(?:те)?|используем|использовать|бери(?:те)?|берём|возьми|применяй(?:те)?|применяем|пиши(?:те)?
            |ставь|запускай|выбери|я имел в виду|лучше|у нас"""
        ),
        wish=r"нужен|нужна|нужно|надо|хочу|должен быть|должно быть|это",
        dont=_words(
            r"""не (?:используй(?:те)?|используем|использовать|бери(?:те)?|применяй(?:те)?|применяем|пиши(?:те)?|ставь
            |запускай|надо|нужно|нужен)|никаких|никакого|хватит
            |перестань использовать|никогда не используй|прекрати использовать"""
        ),
        instead=r"вместо|взамен",
        instead_or_not=r"а не|но не|не",
        negation=r"не",
        but=r"а|но|только|используй",
        and_not=r"а не|не",
        article=r"тут |здесь |всегда |лучше |просто ",
        hedge=r"если|почему|как|мог бы|спасибо(?:,? что)?|не|когда|потому что|ты",
        extra=(r"(?:замени|замените|поменяй) {B} на {A}",),
    ),
    "Ukrainian": Language(
        use=r"використовуй(?:те)?|використовуємо|бери|візьми|краще|маю на увазі",
        wish=r"треба|потрібно|це",
        dont=r"не (?:використовуй(?:те)?|використовуємо|бери|треба)|досить",
        instead=r"замість",
        instead_or_not=r"а не|не",
        negation=r"не",
        but=r"а|але",
        and_not=r"а не|не",
        article=r"тут |завжди |краще ",
        hedge=r"якщо|чому|як|дякую|не|коли",
    ),
    "Polish": Language(
        use=r"użyj|używaj|używamy|użyjmy|stosuj|stosujemy|weź|wolę|chodziło mi o",
        wish=r"chcę|ma być|to",
        dont=r"nie (?:używaj|używamy|stosuj|stosujemy|bierz)|przestań używać|unikaj|żadnego",
        instead=r"zamiast",
        instead_or_not=r"a nie|nie",
        negation=r"nie",
        but=r"ale|lecz|tylko|użyj",
        and_not=r"a nie|nie",
        article=r"tu |tutaj |zawsze |raczej ",
        hedge=r"jeśli|czy|dlaczego|jak|dzięki|nie|kiedy|bo",
    ),
    "Scandinavian": Language(
        use=r"använd|använda|välj|jag menade|kör|skriv|bruk|vi bruker|brug|vi bruger",
        wish=r"jag vill ha|det är|det er",
        dont=r"använd(?:er)?(?: här| vi)? inte|sluta använda|bruk ikke|brug ikke|ikke bruk",
        instead=r"i stället för|istället för|hellre än|i stedet for|istedenfor",
        instead_or_not=r"och inte|inte|ikke|og ikke",
        negation=r"inte|ikke",
        but=r"utan|uten|men",
        and_not=r"inte|och inte|ikke|og ikke",
        article=r"en |ett |et |den |det |alltid |här |her ",
        hedge=r"om|varför|hvorfor|hur|tack|takk|inte|ikke|när",
    ),
}
