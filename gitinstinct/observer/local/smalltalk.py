# ruff: noqa: RUF001 -- letters and punctuation of many languages
"""What people say around the point: lead-ins, courtesies, and words that name no tool.

Kept apart from `languages`, because these hold for all of them at once.
"""

from __future__ import annotations

# What people say before the point, and after it.
LEADS = (
    r"no|nope|nah|hey|hm+|ok(?:ay)?|well|sorry|please|actually|wrong|wait|stop|again|remember|that'?s wrong|that is"
    r" wrong|not right"
    r"|as i said|i said|like i said|nein|bitte|falsch|stopp|doch|non|faux|s'il te plaît|s'il vous plaît|désolé|en"
    r" fait|mal|perdona"
    r"|por favor|en realidad|não|errado|desculpa|na verdade|нет|неправильно|пожалуйста|стоп|nie|proszę|nee"
    r"|alsjeblieft|nej|no,? no"
    r"|sbagliato|per favore|ні|hayır|lütfen"
)
TAILS = (
    r"please|here|for this|in this (?:repo|project|codebase|file)|everywhere|from now on|again|thanks|bitte|hier"
    r"|danke|ici|merci"
    r"|s'il te plaît|s'il vous plaît|aquí|por favor|gracias|aqui|obrigad[oa]|здесь|тут|пожалуйста|спасибо|qui|per"
    r" favore|alsjeblieft|proszę|verwenden|nutzen|benutzen|nehmen|utiliser|usar|usare|gebruiken|использовать"
)

# Words that no tool or style is called by, in any of the languages: function words and small talk.
NO_TERMS = frozenset(
    """
    use using used uses verwenden nutzen benutzen nehmen utiliser usar utilizar usare gebruiken использовать
    a an the this that these those it its he she they them we us you i me my your our their one ones some any
    all both each what which who whom whose when where why how there here now then later today tomorrow
    yesterday soon again always never ever yet still just only also too very more most less least much many
    few so as at by for from in into of off on onto out over to up with without and or but nor if because
    since while until before after than though although is are was were be been being am do does did done
    doing have has had having can could may might must shall should will would not no yes ok okay please
    thanks thank sorry well good great bad nice fine better best worse worst perfect awesome cool easy hard
    slow slowly fast quick quickly right wrong true rush hurry hurrying problem problems worries worry work
    works working thing things way ways time times lot bit stuff something anything nothing everything someone
    anyone nobody people person everyone guess guessing asking reading waiting talking thinking hoping instead
    rather really actually like maybe perhaps sure care patience force luck fun fear hope love peace war life
    money other others another same different own new old big small next last first second third such that's
    it's don't let let's get got go going make making take taking read look looking keep carry move stop start
    try trying need want know think see say said tell told give twice once step day night word words bug
    feature mistake idea matter der die das den dem ein eine einen einem und oder aber nicht kein keine keinen
    mehr auch noch nur schon sehr zu mit von für auf im ist sind gut schlecht schnell langsam jetzt später
    heute morgen hier da dort dies dieser alles nichts etwas eile le la les un une des du de et ou mais pas
    plus très bien mal ici là ce cette ces ça cela tout rien quelque vite lent maintenant demain plutôt bon
    mauvais el los las una unos y o pero sí muy aquí allí esto eso ese esta todo nada algo ahora mañana rápido
    lento bueno malo que os um uma e mas não sim muito bem aqui ali isto isso esse tudo agora amanhã bom ruim
    и или но не да нет очень хорошо плохо здесь там это этот эта эти всё все ничего что-то сейчас потом завтра
    быстро медленно так как что il lo gli uno è non più molto bene male qui questo quello tutto niente ora
    adesso domani
    """.split()
)
