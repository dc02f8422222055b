// Package corpus reads and writes inputs on disk: raw files, records, and the files of go test's
// own corpora.
//
//	entries, err := corpus.ReadAll("testdata/fuzz/FuzzParse") // a file or a folder
//	texts, err := corpus.ParseFuzz(path, file)
//	err = corpus.WriteFile(corpus.Name(text), text)           // all of it or nothing
//	lock, err := corpus.TryLock("found.lock")                 // excludes other processes
//	err = lock.Unlock()
package corpus
