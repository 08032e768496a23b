/// The sentence in the help of a command that has hidden options.
let furtherOptions = "Options for special cases: --help-hidden."
