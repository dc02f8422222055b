package tested

func parse(s string) {}
