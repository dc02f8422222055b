from dataclasses import dataclass, field

from .prices import price_of
from .stock import take


@dataclass
class Order:
    customer: str
    lines: list = field(default_factory=list)

    def add(self, article, number=1):
        if number < 1:
            raise ValueError("nothing to add")
        take(article, number)
        self.lines.append((article, number))
        return self


def total(order):
    return sum(number * price_of(article) for article, number in order.lines)
