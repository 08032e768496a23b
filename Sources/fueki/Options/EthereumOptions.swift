internal import ArgumentParser
internal import Terminal

/// Which of a wallet's accounts on Ethereum.
struct EthereumOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Which account on Ethereum, from 0.", valueName: "number"))
    var account: UInt32?

    func validate() throws {
        guard account ?? 0 < 1 << 31 else { throw ValidationError("--account is at most \(Int32.max)") }
    }

    /// Nobody's wish is left out without a word.
    func refuseOnBitcoin() throws(Failure) { if account != nil { throw .onlyOnEthereum("--account") } }
}

/// Which coin on Ethereum, if it is not ether.
struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The token, by the address of its contract, in place of ether. Amounts of it have no unit.",
            valueName: "contract"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "How many decimal places the token has: nothing is done if the node says otherwise.", valueName: "number"))
    var decimals: Int?

    func validate() throws {
        guard decimals == nil || token != nil else { throw ValidationError("--decimals is about a --token") }
        guard (0...36).contains(decimals ?? 0) else { throw ValidationError("--decimals is 0 to 36") }
    }

    func refuseOnBitcoin() throws(Failure) { if token != nil { throw .onlyOnEthereum("--token") } }
}

/// What a person may know better than a node.
struct GasOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most gas that it may take on Ethereum, in place of what the node estimates and a fifth more.",
            valueName: "gas"))
    var gasLimit: UInt64?

    @Option(
        help: ArgumentHelp(
            "Its number among the account's transactions on Ethereum, in place of the next one.", valueName: "number"))
    var nonce: UInt64?

    func validate() throws {
        guard (21_000...16_777_216).contains(gasLimit ?? 21_000) else {
            throw ValidationError("--gas-limit is 21000 to 16777216, the most that a transaction may have")
        }
    }

    func refuseOnBitcoin() throws(Failure) {
        if gasLimit != nil { throw .onlyOnEthereum("--gas-limit") }
        if nonce != nil { throw .onlyOnEthereum("--nonce") }
    }
}

extension Failure {
    fileprivate static func onlyOnEthereum(_ option: String) -> Failure {
        .usage("\(option) is for Ethereum", hint: "name the chain: --chain ethereum")
    }
}
