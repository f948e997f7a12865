"""What looks say of the actions of one person: odds that are gathered over looks.

A detector's probability of an action is what one look leaves to believe, and it already holds how
often people do that at all. What the look itself adds is the ratio of these two odds. So a gesture
that is often overlooked costs little where it is not seen and weighs much where it is; ratios of
several looks multiply, the less so the more alike the looks are.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from avr_ros.agents.avr.action_rates import rate

Actions = Mapping[str, float]
"""Probabilities of actions, as a detection has them."""

ALIKE: Final = 0.5
"""How far two looks at one moment say the same, mistakes included: 1 wholly, 0 not at all."""

LEAST_RATIO: Final = 0.02
"""Probability as a share of the usual rate below which a look says no more against an action."""

SUREST: Final = 0.98
"""Probability above which a look says no more for an action."""

LEAST_DOUBT: Final = 1e-6
"""Doubt that is left where a look tells all for certain, so that odds stay finite."""


def logit(probability: float) -> float:
    """Logarithm of the odds of a probability within (0, 1)."""
    return math.log(probability) - math.log1p(-probability)


def probability(log_odds: float) -> float:
    """The probability that has these logarithmic odds."""
    if log_odds < 0.0:
        odds = math.exp(log_odds)
        return odds / (1.0 + odds)
    return 1.0 / (1.0 + math.exp(-log_odds))


_SURE_ODDS: Final = logit(1.0 - LEAST_DOUBT)
"""Logarithmic odds of what is certain: looking at it twice makes it no surer."""


def doubt(look: Actions) -> float:
    """How unsure a look is at most of any action that it names: 0 if it tells all for certain."""
    return max((min(value, 1.0 - value) for value in look.values()), default=0.0)


def reckoned(look: Actions, action: str) -> float:
    """A look's probability of an action, no smaller or larger than is reckoned with.

    A look without doubt is taken at its word: what it was made by tells so if it may be wrong.
    """
    unsure = max(doubt(look), LEAST_DOUBT)
    least = min(LEAST_RATIO * rate(action), unsure)
    return min(max(look.get(action, 0.0), least), max(SUREST, 1.0 - unsure))


def told(look: Actions, action: str) -> float:
    """What a look adds to the logarithmic odds of an action.

    ``look`` must tell actions; one that it does not name is not done as far as it can tell.
    """
    return logit(reckoned(look, action)) - logit(rate(action))


def gathered(looks: Sequence[Actions], action: str) -> float:
    """What several looks at one moment add together to the logarithmic odds of an action."""
    telling = [look for look in looks if look]
    if not telling:
        return 0.0
    total = math.fsum(told(look, action) for look in telling)
    usual = logit(rate(action))
    posterior = usual + total / (1.0 + ALIKE * (len(telling) - 1))
    return min(max(posterior, -_SURE_ODDS), _SURE_ODDS) - usual


def likeness(looks: Sequence[Actions], actions: Sequence[str]) -> float:
    """Probability that somebody does all of some actions, by the looks at one moment.

    Without a look that tells actions it is 0: nobody is taken for somebody unseen.
    """
    if not any(looks):
        return 0.0
    each = [probability(gathered(looks, action) + logit(rate(action))) for action in actions]
    return math.prod(each)


def speaks_for(looks: Sequence[Actions]) -> dict[str, float]:
    """How strongly the looks at one moment speak for each action.

    Each is taken to be as likely as not before looking, for choosing among actions that are.
    """
    names = dict.fromkeys(name for look in looks for name in look)
    return {name: probability(gathered(looks, name)) for name in names}


def shares(looks: Sequence[Actions], actions: Collection[str]) -> dict[str, float]:
    """How probable each of some actions is if it is one of them, by the looks at one moment.

    All are equally likely before looking. Empty without a look that tells actions.
    """
    if not any(looks):
        return {}
    odds = {name: math.exp(gathered(looks, name)) for name in sorted(actions)}
    total = math.fsum(odds.values())
    return {name: value / total for name, value in odds.items()}
