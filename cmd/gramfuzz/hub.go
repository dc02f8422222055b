package main

import (
	"context"
	"errors"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
)

const hubAbout = `
Keep the shared data of a fleet's machines: the campaign's definition, leases of blocks
of sentences, findings, texts worth keeping. It is a NATS server with JetStream;
workers are gramfuzz fuzz --hub URL. On loopback no credentials are needed, except
a token with --token-file. Beyond it the hub requires nkeys (--nkeys), or on TLS
(--tls-cert, --tls-key) with certificates of the workers (--tls-ca) or a token.

The page shows the fleet, /status.json the same as JSON, /metrics for Prometheus. It
is served on loopback only. Acknowledged data survives a power failure. The hub
ends with Ctrl-C or SIGTERM, and when its disk is full; workers continue meanwhile.`

func runHub(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "hub --data DIR [flags]", hubAbout)
	var o fleet.HubOptions
	f.StringVar(&o.Data, "data", "", "the data folder `DIR`; created if missing")
	f.StringVar(&o.Listen, "listen", fleet.DefaultListen, "the `ADDRESS` for workers; port 0 is a free one")
	page := f.String("page", "127.0.0.1:0", "the `ADDRESS` of the page, on loopback; port 0 is a free one")
	name := f.String("fleet", "main", "the `NAME` of the fleet that the page shows")
	f.StringVar(&o.TokenFile, "token-file", "", "a `FILE` with a token that workers need")
	f.StringVar(&o.NKeysFile, "nkeys", "", "a `FILE` with the public nkeys of workers, one on a line")
	addTLS(f, &o.TLS, "must have issued the workers' certificates")
	f.BoolVar(&o.NoSync, "no-sync", false, "do not wait for the disk: faster, but a power failure may lose the last two minutes")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if o.Data == "" {
		return f.wrong("no data folder; name one with --data")
	}
	if serveHub == nil {
		return errors.New("this gramfuzz has no hub, which would make it half as large again; build one with go install -tags hub, or give workers --nats URL")
	}
	return serveHub(ctx, o, *page, *name, f.note, guard)
}
