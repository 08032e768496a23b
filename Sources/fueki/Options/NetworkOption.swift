public import ArgumentParser
internal import HDKeys
internal import Wallet

/// `--network regtest`: the help and the shells list the names there are.
extension Network: ExpressibleByArgument {}
