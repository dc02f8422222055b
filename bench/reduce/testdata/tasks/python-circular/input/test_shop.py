import unittest

from shop import Order, total


class Orders(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total(Order("a").add("tea", 2)), 7.0)
