"""A shop with a stock, orders and prices."""
from .orders import Order, total
from .prices import discount

__all__ = ["Order", "total", "discount", "VERSION"]
VERSION = (1, 4, 0)
