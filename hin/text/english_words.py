"""English stop words.

The list of the package `stop-words` has over a thousand, many of which name a subject (`system`, `research`); these
are the ones of it that scikit-learn's list has too, without those that are also names of things (`computer`, `bill`).
"""

from __future__ import annotations

_WORDS = """
    a about above across after afterwards again against all almost alone along already also although always am among
    amongst amoungst an and another any anyhow anyone anything anyway anywhere are around as at back be became
    because become becomes becoming been before beforehand behind being below beside besides between beyond both but
    by can cannot cant co con could couldnt de describe did do does done down due during each eg eight either eleven
    else elsewhere empty enough etc even ever every everyone everything everywhere except few fifteen fifty first
    five for former formerly forty four from further get give go had has hasnt have he hence her here hereafter
    hereby herein hereupon hers herself him himself his how however hundred i ie if in inc indeed into is it its
    itself keep last latter latterly least less ltd made many may me meanwhile might mine more moreover most mostly
    much must my myself namely neither never nevertheless next nine no nobody none noone nor not nothing now nowhere
    of off often on once one only onto or other others otherwise our ours ourselves out over own per perhaps please
    put rather re same see seem seemed seeming seems several she should since six sixty so some somehow someone
    something sometime sometimes somewhere still such take ten than that the their them themselves then thence there
    thereafter thereby therefore therein thereupon these they third this those though three through throughout thru
    thus to together too toward towards twelve twenty two un under until up upon us very via was we well were what
    whatever when whence whenever where whereafter whereas whereby wherein whereupon wherever whether which while
    whither who whoever whole whom whose why will with within without would yet you your yours yourself yourselves
"""

ENGLISH_STOP_WORDS = frozenset(_WORDS.split())
