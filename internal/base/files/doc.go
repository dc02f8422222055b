// Package files reads whole files of bounded size, and writes files that get their names when they
// are complete, so that a program that fails or is interrupted leaves none.
//
//	src, err := files.Read("a.ebnf", 64<<20)
//	out, err := tidy.Create("inputs.txt", os.Stdout)
//	defer out.Abort()
//	fmt.Fprintln(out, text)
//	err = out.Finish()
package files
