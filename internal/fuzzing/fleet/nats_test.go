package fleet

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStockServer runs the same fleet on a stock nats-server in its own process.
func TestStockServer(t *testing.T) {
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("a long test, since it builds nats-server; set GRAMFUZZ_LONG=1")
	}
	program := filepath.Join(t.TempDir(), "nats-server")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("nats-server cannot be built: %v\n%s", err, out)
	}
	addr := freeAddress(t)
	config := write(t, "listen: \""+addr+"\"\njetstream { store_dir: \""+t.TempDir()+"\", sync_interval: always }\n")
	server := exec.Command(program, "-c", config)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	x := &trial{t: t, login: Login{URL: "nats://" + addr}}
	x.await("nats-server", x.reachable)
	var all []*worker
	for range 3 {
		all = append(all, newTestWorker(filepath.Join(t.TempDir(), "found"), "nats://"+addr, fails(two)))
	}
	runAll(t, all...)
	st := x.status()
	never, twice := placesRun(st.Sentences, all...)
	left := 0
	for _, l := range st.Leases {
		left += int(l.Left)
	}
	if twice != 0 || never != left || len(st.Findings) != 2 {
		t.Errorf("%d places run twice, %d never, %d left; %+v", twice, never, left, st)
	}
	// The error names a missing JetStream.
	bare := freeAddress(t)
	plain := exec.Command(program, "-c", write(t, "listen: \""+bare+"\"\n"))
	if err := plain.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = plain.Process.Kill()
		_ = plain.Wait()
	}()
	x.login.URL = "nats://" + bare
	x.await("a bare nats-server", x.reachable)
	if _, err := newTestWorker(filepath.Join(t.TempDir(), "found"), "nats://"+bare, fails(two)).run(t.Context()); err == nil || !strings.Contains(err.Error(), "has no JetStream") {
		t.Errorf("without JetStream the error is %v", err)
	}
}
