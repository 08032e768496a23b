internal import ArgumentParser
internal import ErrorTexts
internal import Ethereum
internal import Terminal
internal import Texts

/// The wallet's account on Ethereum.
struct EthereumOptions: ParsableArguments {
    @Option(help: .value("number", "The account on Ethereum, from 0."))
    var account: UInt32?

    func validate() throws {
        guard account ?? 0 < 1 << 31 else { throw ValidationError("--account is at most \(Int32.max)") }
    }

    /// Refuses the options of Ethereum for a payment on Bitcoin, so that no option is ignored silently.
    func refuseOnBitcoin() throws(Failure) { if account != nil { throw .onlyOnEthereum("--account") } }
}

/// The token on Ethereum, in place of the chain's coin.
struct TokenOptions: ParsableArguments {
    @Option(
        help: .value(
            "contract", "A token in place of the chain's coin: its contract, or the symbol of a known one (usdc)."))
    var token: String?

    @Option(help: .value("number", "The token's decimal places: stop if the node says otherwise.", visibility: .hidden))
    var decimals: Int?

    func validate() throws {
        guard decimals == nil || token != nil else { throw ValidationError("--decimals is about a --token") }
        guard (0...36).contains(decimals ?? 0) else { throw ValidationError("--decimals is 0 to 36") }
    }

    func refuseOnBitcoin() throws(Failure) { if token != nil { throw .onlyOnEthereum("--token") } }

    /// Returns the token's contract. The option gives its address, or its symbol in the list of known tokens.
    func contract(on chain: ChainID) throws(Failure) -> EthereumAddress? {
        guard let token else { return nil }
        if let listed = TokenUnit.listed(token, on: chain) { return listed.contract }
        return try attemptAddress(token) { () throws(EthereumError) in try EthereumAddress(token) }
    }
}

/// The values of a transaction on Ethereum that replace the node's, and the treatment of an earlier one.
struct GasOptions: ParsableArguments {
    @Option(
        help: .value(
            "gas", "The most gas that it may take, in place of the node's estimate and a fifth more (Ethereum)."))
    var gasLimit: UInt64?

    @Option(help: .value("number", "Its number among the account's transactions, in place of the next one (Ethereum)."))
    var nonce: UInt64?

    @Flag(help: "Send first, without asking, what was signed before and never sent (Ethereum).")
    var resend = false

    func validate() throws {
        guard (21_000...16_777_216).contains(gasLimit ?? 21_000) else {
            throw ValidationError("--gas-limit is 21000 to 16777216, the most that a transaction may have")
        }
    }

    func refuseOnBitcoin() throws(Failure) {
        if gasLimit != nil { throw .onlyOnEthereum("--gas-limit") }
        if nonce != nil { throw .onlyOnEthereum("--nonce") }
        if resend { throw .onlyOnEthereum("--resend") }
    }
}

extension Failure {
    static func onlyOnEthereum(_ option: String) -> Failure {
        .usage("\(option) is for Ethereum", hint: "name the chain: --chain ethereum")
    }
}
