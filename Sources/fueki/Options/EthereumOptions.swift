internal import ArgumentParser

/// What only Ethereum asks.
struct EthereumOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Which account on Ethereum, from 0.", valueName: "number"))
    var account: UInt32 = 0

    func validate() throws {
        guard account < 1 << 31 else { throw ValidationError("--account is at most \(Int32.max)") }
    }
}
