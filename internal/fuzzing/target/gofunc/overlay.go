package gofunc

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// overlay is the input of go build's -overlay: files that replace others, which need not
// exist.
type overlay struct {
	scratch string
	Replace map[string]string
}

// put replaces the file at path by text.
func (o *overlay) put(path, text string) error {
	own := filepath.Join(o.scratch, fmt.Sprintf("%d%s", len(o.Replace), filepath.Ext(path)))
	o.Replace[path] = own
	return os.WriteFile(own, []byte(text), 0o666)
}

func (o *overlay) write() (path string, err error) {
	data, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	path = filepath.Join(o.scratch, "overlay.json")
	return path, os.WriteFile(path, data, 0o666)
}

// add adds all files for a function and returns the package of the program.
func (o *overlay) add(f *function, env *goEnv) (main string, err error) {
	files := []string{"harness.go", "exit.go", "plain.go"}
	if env.edges() {
		files[2] = "serve.go"
		trace := strings.Replace(gocov.TraceSource, "\npackage trace\n", "\npackage "+servePackage+"\n", 1)
		if err := o.put(filepath.Join(f.home.dir, servePackage, "trace.go"), trace); err != nil {
			return "", err
		}
	}
	for _, name := range files {
		text, err := harness.ReadFile("harness/" + name + ".txt")
		if err != nil {
			return "", err
		}
		if err := o.put(filepath.Join(f.home.dir, servePackage, name), string(text)); err != nil {
			return "", err
		}
	}
	if f.pkg.Name == "main" {
		if err := o.renameMain(f); err != nil {
			return "", err
		}
		return f.pkg.ImportPath, o.put(filepath.Join(f.pkg.Dir, mainPackage+".go"), f.program("", f.name))
	}
	called := f.name
	if !token.IsExported(called) {
		called = "Gramfuzz_harness_" + f.name
		text := fmt.Sprintf("package %s\n\nvar %s = %s\n", f.pkg.Name, called, f.name)
		if err := o.put(filepath.Join(f.pkg.Dir, exportFile), text); err != nil {
			return "", err
		}
	}
	return f.home.path + "/" + mainPackage, o.put(filepath.Join(f.home.dir, mainPackage, "main.go"), f.program(f.pkg.ImportPath, called))
}

// renameMain gives the main function of the function's package another name.
func (o *overlay) renameMain(f *function) error {
	m := &function{pkg: f.pkg, name: "main"}
	for _, file := range append(f.pkg.GoFiles, f.pkg.CgoFiles...) {
		_, decl, err := m.declared(file)
		if err != nil {
			return err
		}
		if decl == nil {
			continue
		}
		path := filepath.Join(f.pkg.Dir, file)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		at := int(decl.Name.Pos()) - 1 // the file's base is 1
		return o.put(path, string(text[:at])+mainPackage+string(text[at+len("main"):]))
	}
	return nil
}

// program returns the source of the program's main file. pkg is the path of the function's
// package, "" if it is the same package.
func (f *function) program(pkg, called string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	if f.param == takesReader {
		b.WriteString("\tgramfuzz_bytes \"bytes\"\n")
	}
	if pkg != "" {
		fmt.Fprintf(&b, "\tgramfuzz_target %q\n", pkg)
		called = "gramfuzz_target." + called
	}
	fmt.Fprintf(&b, "\t%s %q\n)\n\nfunc main() { %[1]s.Run(%[1]s_call) }\n\n", servePackage, f.home.path+"/"+servePackage)
	// The function gets a copy whose capacity ends with the text.
	text := map[param]string{
		takesBytes:  "append(make([]byte, 0, len(data)), data...)",
		takesString: "string(data)",
		takesReader: "gramfuzz_bytes.NewReader(append([]byte(nil), data...))",
	}[f.param]
	before, after := "", "nil"
	switch {
	case f.errs:
		before, after = strings.Repeat("_, ", f.results-1)+"err := ", "err"
	case f.results > 0:
		before = strings.Repeat("_, ", f.results-1) + "_ = "
	}
	fmt.Fprintf(&b, "func %s_call(data []byte) error {\n\t%s%s(%s)\n\treturn %s\n}\n", servePackage, before, called, text, after)
	return b.String()
}
