public import ArgumentParser
internal import HDKeys

/// A network name as an option's value: `--network regtest`. The help and the shell completions list the valid names.
extension Network: ExpressibleByArgument {}
