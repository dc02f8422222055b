package target

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

const hasResident = true

// Resident is how much memory in bytes a process and those of its session hold, pages that
// they share counted for each. 0 where the process is gone.
func Resident(pid int) int64 {
	all := int64(0)
	for _, q := range session(pid) {
		all += residentOf(q)
	}
	return all
}

// session lists a process and those of the session that it leads.
func session(pid int) []int {
	pids := []int{pid}
	for _, q := range madeSince(pid) {
		if sid, err := unix.Getsid(q); err == nil && sid == pid && q != pid {
			pids = append(pids, q)
		}
	}
	return pids
}

func residentOf(pid int) int64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	fields := bytes.Fields(data)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// machineMemory is how much the machine, or the control group of this process, has.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	all := int64(info.Totalram) * int64(info.Unit)
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil && limit > 0 {
			all = min(all, limit)
		}
	}
	return all
}
