from collections import Counter

ON_HAND = Counter(tea=100, cup=12, pot=3)


def take(article, number):
    if ON_HAND[article] < number:
        raise LookupError(article)
    ON_HAND[article] -= number
