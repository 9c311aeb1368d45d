"""One form an intent: how the answer to such a question is shown."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms.comparison import comparison
from workflows.research.answer.forms.disagreement import disagreement
from workflows.research.answer.forms.instructions import instructions
from workflows.research.answer.forms.listing import listing
from workflows.research.answer.forms.overview import overview
from workflows.research.answer.forms.passages import BEARING, FEW, best_passages
from workflows.research.answer.selection import Ranked
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

Form = Callable[[Part, Sequence[Ranked], TextCollection], Draft]

FORMS: Mapping[Intent, Form] = {
    **dict.fromkeys(
        (Intent.FACT, Intent.WHY, Intent.DEFINITION, Intent.PERSON), partial(best_passages, FEW)
    ),
    **dict.fromkeys((Intent.YES_NO, Intent.CLAIM), partial(best_passages, BEARING)),
    Intent.HOW_TO: instructions,
    Intent.LIST: listing,
    Intent.COMPARISON: comparison,
    Intent.OVERVIEW: overview,
    Intent.DISAGREEMENT: disagreement,
}
