// Package words writes names, numbers and text of others for people, and reads what they write.
//
//	words.Quote(message)                                     // shows \x1b[2J and \u202e instead of their effect
//	words.Plural(2, "rule")                                  // 2 rules
//	words.Nearest("nmber", []string{"number", "name"})       // number
//	var limit words.Bytes
//	err := limit.Set("64KiB")                                // sizes, durations and expressions in flags
package words
