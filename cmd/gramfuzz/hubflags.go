package main

import (
	"context"
	"os"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
)

// loginFlags are the flags of the address of a fleet's hub.
type loginFlags struct {
	hub, nats string
	name      string
	login     fleet.Login
}

func (l *loginFlags) add(f *flags) {
	f.StringVar(&l.hub, "hub", "", "the `URL` of the fleet's hub, such as nats://127.0.0.1:4222")
	f.StringVar(&l.nats, "nats", "", "the `URL` of your own NATS server with JetStream instead")
	f.StringVar(&l.name, "fleet", "main", "the `NAME` of the fleet: a hub has any number of them")
	f.StringVar(&l.login.TokenFile, "token-file", "", "the `FILE` with the hub's token")
	f.StringVar(&l.login.NKeyFile, "nkey-file", "", "the `FILE` with the seed of this worker's nkey")
	addTLS(f, &l.login.TLS, "check the hub's certificate")
}

// addTLS adds the flags of TLS.
func addTLS(f *flags, t *fleet.TLSFiles, ca string) {
	f.StringVar(&t.Cert, "tls-cert", "", "the PEM `FILE` with the certificate to show")
	f.StringVar(&t.Key, "tls-key", "", "the PEM `FILE` with its key")
	f.StringVar(&t.CA, "tls-ca", "", "the PEM `FILE` with the certificates that "+ca)
}

// joins reports whether the flags are about a fleet.
func (l *loginFlags) joins() bool { return l.hub != "" || l.nats != "" }

func (l *loginFlags) check(f *flags) error {
	if l.hub != "" && l.nats != "" {
		return f.wrong("--hub and --nats are two servers; leave one out")
	}
	l.login.URL = l.hub + l.nats
	if !l.joins() {
		for _, name := range []string{"fleet", "token-file", "nkey-file", "tls-cert", "tls-key", "tls-ca", "target-id", "replicas", "lease"} {
			if f.Changed(name) {
				return f.wrong("--%s goes with --hub or --nats; say where the fleet is", name)
			}
		}
	}
	return nil
}

// fleetFlags are the flags of a worker.
type fleetFlags struct {
	loginFlags
	target   string
	replicas int
	lease    time.Duration
	worker   *fleet.Worker // nil: no fleet
}

func (x *fleetFlags) add(f *flags) {
	x.loginFlags.add(f)
	f.StringVar(&x.target, "target-id", "", "a `NAME` for the program: workers with the same name may have different executables and commands")
	f.IntVar(&x.replicas, "replicas", 1, "with --nats: the number of servers in the cluster that keep each value")
	f.durationVar(&x.lease, "lease", fleet.DefaultLease, "the time after which the work of a silent worker is given to others; the first worker of the fleet decides")
}

func (x *fleetFlags) check(f *flags) error {
	if err := x.loginFlags.check(f); err != nil {
		return err
	}
	switch {
	case f.Changed("replicas") && (x.nats == "" || x.replicas < 1 || x.replicas > 5):
		return f.wrong("--replicas goes with --nats and from 1 to 5")
	case x.lease < time.Second || x.lease > time.Hour:
		return f.wrong("--lease %v is out of range; give 1s to 1h", x.lease)
	}
	return nil
}

// join joins the fleet, if there is one, before the campaign is made.
func (x *fleetFlags) join(ctx context.Context, f *fuzzFlags) error {
	if !x.joins() {
		return nil
	}
	o := &f.o
	edges, err := o.EdgeMap(ctx)
	if err != nil {
		return err
	}
	def := fleet.DefinitionOf(o, edges, x.target)
	def.Lease = x.lease
	host, _ := os.Hostname()
	x.worker, err = fleet.Join(ctx, fleet.Options{
		Login: x.login, Dir: o.Dir, Fleet: x.name, Replicas: x.replicas, Name: host, Definition: def, AnySeed: o.AnySeed,
		Note: func(text string) { f.note("%s", text) },
	})
	if err != nil {
		return err
	}
	o.Coordinator, o.Seed, o.AnySeed = x.worker, x.worker.Seed(), false
	print := o.Event
	o.Event = func(e campaign.Event) {
		x.worker.Event(e)
		print(e)
	}
	return nil
}

// start starts the worker once the campaign is made.
func (x *fleetFlags) start(ctx context.Context, c *campaign.Campaign) error {
	if x.worker == nil {
		return nil
	}
	return x.worker.Start(ctx, c.Folder(), c.Number())
}

// leave ends the worker.
func (x *fleetFlags) leave() error {
	if x.worker == nil {
		return nil
	}
	return x.worker.Close()
}
