package screen

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// browse opens a file in the user's browser. It stops waiting after a moment, since some
// browsers stay in the foreground.
func browse(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	args := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "windows":
		args = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	case "darwin":
		args = []string{"open", path}
	}
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(3 * time.Second):
		return nil
	}
}
