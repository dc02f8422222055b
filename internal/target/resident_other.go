//go:build !linux

package target

const hasResident = false

// Resident is 0: it is not known here.
func Resident(int) int64 { return 0 }

func session(int) []int { return nil }

func machineMemory() int64 { return 0 }
