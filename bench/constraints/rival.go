package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// patience is the maximum ratio of elapsed time to CPU time.
const patience = 6

// rival runs rival.py, in which another tool makes inputs until its time is over.
func (o options) rival(ctx context.Context, python, tool string, s subject) (m made, err error) {
	script, err := files.ReadFile("rival.py")
	if err != nil {
		return m, err
	}
	spec, err := files.ReadFile("subjects/" + s.name + ".fan")
	if s.studied {
		spec, err = os.ReadFile(filepath.Join(o.study, "lang_validity_only.fan"))
	}
	if tool == "fandango" && err != nil {
		return m, errors.New("there is no specification for it")
	}
	ctx, cancel := context.WithTimeout(ctx, patience*o.time+time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-c", string(script), tool, s.name, strconv.FormatFloat(o.time.Seconds(), 'f', -1, 64))
	cmd.Stdin, cmd.Dir = strings.NewReader(string(spec)), o.study
	out, err := cmd.StdoutPipe()
	if err != nil {
		return m, err
	}
	var wrong strings.Builder
	cmd.Stderr = &wrong
	if err := cmd.Start(); err != nil {
		return m, err
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
		if err != nil {
			continue // output of the tool itself
		}
		m.inputs++
		if m.inputs <= o.n {
			m.texts = append(m.texts, text)
		}
	}
	err = cmd.Wait()
	m.took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if m.inputs == 0 {
		lines := strings.Split(strings.TrimSpace(wrong.String()), "\n")
		return m, fmt.Errorf("no input within %v (%v): %s", o.time, err, lines[len(lines)-1])
	}
	return m, nil
}
