// Package corpus keeps inputs on disk, as plainly as possible.
//
//	c, err := corpus.Open("found")       // takes the lock
//	name, added, err := c.Add(text, rec)
//	err = c.Close()
//
// A corpus is a folder with one file for each text, named by the text's hash,
// and nothing else: any tool can read it and add to it. Records of texts, where
// there are any, are lines of the file beside the folder (found.jsonl), as gen
// -o writes them. The lock is another file beside it (found.lock).
//
// A text is written beside its place and renamed, records are appended; an
// interrupted program leaves at worst half a line of records, which Open cuts
// off. A corpus that is opened again has all that it had.
//
// [ParseFuzz] and [FormatFuzz] read and write the files of go test's own corpora
// (testdata/fuzz), [ReadAll] a folder of raw files, of such files or of records.
package corpus
