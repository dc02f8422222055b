// Command check checks the manifests in a folder against the types and schemas of their
// makers: go -C deploy/check run . ..
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	dir := os.Args[1]
	if err := check(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("deploy: valid")
}

func check(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "kubernetes.yaml"))
	if err != nil {
		return err
	}
	kinds := map[string]func() any{
		"Service": func() any { return new(corev1.Service) }, "StatefulSet": func() any { return new(appsv1.StatefulSet) }, "Job": func() any { return new(batchv1.Job) },
	}
	for _, doc := range bytes.Split(data, []byte("\n---\n")) {
		var k struct{ Kind string }
		if err := yaml.Unmarshal(doc, &k); err != nil {
			return err
		}
		if kinds[k.Kind] == nil {
			return fmt.Errorf("kind %q", k.Kind)
		}
		if err := yaml.UnmarshalStrict(doc, kinds[k.Kind]()); err != nil {
			return fmt.Errorf("%s: %w", k.Kind, err)
		}
	}
	o, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.yaml")}, cli.WithName("gramfuzz"))
	if err != nil {
		return err
	}
	p, err := o.LoadProject(context.Background())
	if err == nil && len(p.Services) != 2 {
		err = fmt.Errorf("%d services", len(p.Services))
	}
	return err
}
