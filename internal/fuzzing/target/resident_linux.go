package target

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

const hasResident = true

// residentOf returns the resident memory of processes in bytes. Shared pages count for each
// process; processes that are gone hold none.
func residentOf(pids []int) (all int64) {
	for _, pid := range pids {
		data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
		fields := bytes.Fields(data)
		if err != nil || len(fields) < 2 {
			continue
		}
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		all += pages * int64(os.Getpagesize())
	}
	return all
}

// session lists a process and the other processes of the session that it leads.
func session(pid int) []int {
	pids := []int{pid}
	for _, q := range madeSince(pid) {
		if sid, err := unix.Getsid(q); err == nil && sid == pid && q != pid {
			pids = append(pids, q)
		}
	}
	return pids
}

// machineMemory returns the memory in bytes of the machine, or of this process's control
// groups if that is less.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	all := int64(info.Totalram) * int64(info.Unit)
	for name, dirs := range map[string][]string{
		"memory.max":            controlDirs("cgroup2", ""),
		"memory.limit_in_bytes": controlDirs("cgroup", "memory"),
	} {
		for _, dir := range dirs {
			data, _ := os.ReadFile(filepath.Join(dir, name))
			if limit, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil && limit > 0 {
				all = min(all, limit)
			}
		}
	}
	return all
}
