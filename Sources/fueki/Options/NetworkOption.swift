public import ArgumentParser
public import Wallet

/// `--network regtest`: the help and the shells list the names there are.
extension Network: ExpressibleByArgument {}
