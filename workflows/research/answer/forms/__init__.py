"""One form an intent: how the answer to such a question is shown."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import FEW, Draft
from workflows.research.answer.forms.comparison import comparison
from workflows.research.answer.forms.disagreement import disagreement
from workflows.research.answer.forms.instructions import instructions
from workflows.research.answer.forms.listing import listing
from workflows.research.answer.forms.overview import overview
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.selection import select_shown
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

Form = Callable[[Part, Sequence[Ranked], TextCollection], Draft]

_BEARING = 4  # passages that bear on a claim


def _best_passages(
    count: int, part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> Draft:
    """Up to `count` passages. Those that bear on a claim are unsorted as to side: who says yes is
    for a judge to say."""
    selected = select_shown(part, ranked, collection)
    return Draft(passages=tuple(selected[:count]), further=tuple(selected[count:]))


FORMS: Mapping[Intent, Form] = {
    **dict.fromkeys(
        (Intent.FACT, Intent.WHY, Intent.DEFINITION, Intent.PERSON), partial(_best_passages, FEW)
    ),
    **dict.fromkeys((Intent.YES_NO, Intent.CLAIM), partial(_best_passages, _BEARING)),
    Intent.HOW_TO: instructions,
    Intent.LIST: listing,
    Intent.COMPARISON: comparison,
    Intent.OVERVIEW: overview,
    Intent.DISAGREEMENT: disagreement,
}
