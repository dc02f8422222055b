package target

import "strconv"

// scratchName begins the name of every scratch folder.
const scratchName = "gramfuzz-run-"

// ScratchPrefix returns the prefix of the names of this process's scratch folders. On Linux,
// it identifies the process, so that [Sweep] can tell whether it is alive.
func ScratchPrefix() string {
	me := self()
	return scratchName + me.place + "-" + strconv.Itoa(me.pid) + "." + me.started + "-"
}

// owner is a unique identifier of a process: no process at another time, or in another
// container or machine that shares the folder, has the same one.
type owner struct {
	place   string // hash of boot and process namespace
	pid     int
	started string // in ticks since the boot
}
