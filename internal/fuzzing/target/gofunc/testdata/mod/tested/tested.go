// Package tested has nothing but a test.
package tested
