package count_test

import "context"

var ctx = context.Background()
