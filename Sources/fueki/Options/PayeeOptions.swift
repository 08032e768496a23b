internal import ArgumentParser
internal import Custody
internal import Wallet

/// Who is paid, and how much: one payee with `--to` and `--amount`, or several with `--to PAYEE=AMOUNT`.
struct PayeeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who is paid: an address, or the name of a contact. Several payees (Bitcoin): '--to alice=0.01btc --to bob=0.2btc'.",
            valueName: "payee[=amount]"))
    var to: [String]

    @Option(
        help: ArgumentHelp(
            "How much, with its unit: 0.01btc, 1500sat, 0.1eth, on Polygon 0.1pol; or 'all' (Bitcoin). For one payee.",
            valueName: "amount"
        ))
    var amount: String?

    /// One payee as the command line names it.
    struct Payee: Equatable {
        let name: String
        /// With its unit, or `all`.
        let amount: String
    }

    func validate() throws { _ = try payees() }

    /// In the order of the command line; never empty.
    ///
    /// - Throws: a `ValidationError` where a payee has no amount, or two.
    func payees() throws -> [Payee] {
        guard !to.isEmpty else { throw ValidationError("--to is missing: who is paid?") }
        if let amount {
            guard to.count == 1 else {
                throw ValidationError(
                    "--amount is for one payee: give several as '--to \(to[0])=AMOUNT --to \(to[1])=AMOUNT'")
            }
            return [Payee(name: to[0], amount: amount)]
        }
        return try to.map { text in
            // A contact's name may have an equals sign in it, and an amount has none.
            guard let sign = text.lastIndex(of: "="), sign > text.startIndex, text.index(after: sign) < text.endIndex
            else {
                throw ValidationError(
                    to.count == 1
                        ? "--amount is missing: how much is paid?"
                        : "'--to \(text)' has no amount: write '\(text)=AMOUNT'")
            }
            return Payee(name: String(text[..<sign]), amount: String(text[text.index(after: sign)...]))
        }
    }
}

/// By which a payment is known that is ordered more than once.
struct OnceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A key of yours for this payment, as an invoice's number: it is made once, however often it is ordered.",
            valueName: "key"))
    var once: String?

    @Flag(help: "Make a further payment, though the same one may be on its way.")
    var again = false

    func validate() throws {
        guard once == nil || !again else {
            throw ValidationError("--again makes a further payment, and --once never does: give a new key instead")
        }
    }

    func key() throws(Failure) -> PaymentKey? {
        guard let once else { return nil }
        return try attempt { () throws(CustodyError) in try PaymentKey(once) }
    }
}
