internal import ArgumentParser
internal import ErrorTexts
internal import Ethereum
internal import Terminal
internal import Texts
internal import Wallet

/// The payees and their amounts: one payee with `--to` and `--amount`, or several with `--to PAYEE=AMOUNT`.
struct PayeeOptions: ParsableArguments {
    @Option(
        help: .value(
            "payee[=amount]",
            "An address, a contact, or a payment request (bitcoin:…, ethereum:…). Several (Bitcoin): --to alice=0.01btc "
                + "--to bob=0.2btc."))
    var to: [String]

    @Option(help: .value("amount", "0.01btc, 1500sat, 0.1eth, 0.1pol; 'all' (Bitcoin)."))
    var amount: String?

    func validate() throws { _ = try payees() }

    /// Returns the payees in the order of the command line. The result is never empty.
    ///
    /// - Throws: a `ValidationError` if a payee has no amount or two amounts.
    func payees() throws -> [NamedPayee] {
        do { return try NamedPayee.read(to, amount: amount) } catch { throw ValidationError(error.message) }
    }

    /// Refuses a payment request whose chain or token differs from the command line's.
    ///
    /// - Parameter token: the value of `--token`.
    func check(on chain: ChainName, token: String?) throws {
        var contract: EthereumAddress?
        if let token {
            if case .ethereum(let id) = chain { contract = TokenUnit.listed(token, on: id)?.contract }
            contract = contract ?? (try? EthereumAddress(token))
        }
        do { try NamedPayee.request(among: to)?.check(on: chain, token: contract) } catch {
            throw ValidationError(error.message)
        }
    }

    /// The texts for the payer in a payment request.
    var words: [String] {
        let request = try? NamedPayee.request(among: to)
        return (request?.words ?? []).map { "the payment request says: '\($0)'" }
    }
}

/// The options that identify a repeated order.
struct OnceOptions: ParsableArguments {
    @Option(
        help: .value(
            "key", "Your key for this payment, as an invoice's number: it is made once, however often it is ordered."))
    var once: String?

    @Flag(help: "Pay again, though the same may be on its way.")
    var again = false

    func validate() throws {
        guard once == nil || !again else {
            throw ValidationError("--again makes a further payment, and --once never does: give a new key instead")
        }
    }

    func key() throws(Failure) -> PaymentKey? {
        guard let once else { return nil }
        return try attempt { () throws(WalletError) in try PaymentKey(once) }
    }
}
