package target

import "strconv"

// scratchName begins the name of every scratch folder.
const scratchName = "gramfuzz-run-"

// ScratchPrefix is how the names of this process's scratch folders begin. On
// Linux it names the process so that [Sweep] can tell whether it still lives.
func ScratchPrefix() string {
	me := self()
	return scratchName + me.place + "-" + strconv.Itoa(me.pid) + "." + me.started + "-"
}

// owner is a process, named so that no other one, at no other time and in no
// other container or machine that shares the folder, is named alike.
type owner struct {
	place   string // hash of boot and process namespace
	pid     int
	started string // in ticks since the boot
}
