internal import Amounts
internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import DisplayText
internal import Ethereum
internal import Terminal
internal import Wallet

/// Who is paid, and how much: one payee with `--to` and `--amount`, or several with `--to PAYEE=AMOUNT`.
struct PayeeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who is paid: an address, the name of a contact, or a payment request (bitcoin:…, ethereum:…). Several payees "
                + "(Bitcoin): '--to alice=0.01btc --to bob=0.2btc'.",
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
        /// Of tokens, where a payment request names how many: in their smallest unit.
        var smallest: UInt256?
    }

    func validate() throws { _ = try payees() }

    /// In the order of the command line; never empty.
    ///
    /// - Throws: a `ValidationError` where a payee has no amount, or two.
    func payees() throws -> [Payee] {
        guard !to.isEmpty else { throw ValidationError("--to is missing: who is paid?") }
        if let request = try request { return [try request.payee(with: amount)] }
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

// MARK: - Payment requests

extension PayeeOptions {
    /// What somebody asks for who wants to be paid.
    enum Request {
        case bitcoin(BitcoinURI)
        case ethereum(EthereumURI)
    }

    /// The request that `--to` is; nil where it names a payee.
    ///
    /// - Throws: a `ValidationError` for a request that cannot be paid, or one of several payees.
    var request: Request? {
        get throws {
            guard let text = to.first(where: { BitcoinURI.isMeant(by: $0) || EthereumURI.isMeant(by: $0) }) else {
                return nil
            }
            guard to.count == 1 else {
                throw ValidationError("a payment request is paid by itself: give no other --to")
            }
            do {
                return BitcoinURI.isMeant(by: text) ? .bitcoin(try BitcoinURI(text)) : .ethereum(try EthereumURI(text))
            } catch let error as any Explained {
                throw ValidationError(error.failure.message)
            }
        }
    }

    /// Refuses a request that is for another chain or token than the command line names.
    ///
    /// - Parameter token: what `--token` names.
    func check(on chain: ChainOption.Name, token: String?) throws {
        switch (try request, chain) {
        case (nil, _), (.bitcoin, .bitcoin): return
        case (.bitcoin, .ethereum):
            throw ValidationError("this payment request is for Bitcoin, and --chain names another")
        case (.ethereum(let uri), .bitcoin):
            let id = uri.chain ?? .ethereum
            throw ValidationError(
                "this payment request is for \(Chain.ethereum(id).name): add --chain \(id.keyword ?? Chain.ethereum(id).description)"
            )
        case (.ethereum(let uri), .ethereum(let id)):
            if let asked = uri.chain, asked != id {
                throw ValidationError(
                    "this payment request is for \(Chain.ethereum(asked).name), and --chain names \(Chain.ethereum(id).name)"
                )
            }
            let named = token.flatMap { try? EthereumAddress($0) }
            guard uri.token == named else {
                throw ValidationError(
                    uri.token.map { "this payment request is for tokens: add --token \($0)" }
                        ?? "this payment request is for coins: leave out --token")
            }
        }
    }

    /// What whoever wrote the request says of it, as it may be shown.
    var words: [String] {
        guard case .bitcoin(let uri)? = try? request else { return [] }
        return [uri.label, uri.message].compactMap { text in
            text.map { "the payment request says: '\(SanitizedText($0, limit: Self.shownWords, lines: .one))'" }
        }
    }

    private static let shownWords = 200
}

extension PayeeOptions.Request {
    /// - Parameter amount: what `--amount` says.
    fileprivate func payee(with amount: String?) throws -> PayeeOptions.Payee {
        let (name, asked): (String, String?) =
            switch self {
            case .bitcoin(let uri): (uri.addressText, uri.amount.map { "\($0.bitcoins)btc" })
            case .ethereum(let uri):
                (uri.payeeText, uri.amount.map { "\($0)wei" })
            }
        if asked != nil, amount != nil {
            throw ValidationError("this payment request names the amount: leave out --amount")
        }
        guard let text = asked ?? amount else {
            throw ValidationError("--amount is missing: this payment request names none")
        }
        guard case .ethereum(let uri) = self, uri.token != nil, asked != nil else {
            return PayeeOptions.Payee(name: name, amount: text)
        }
        return PayeeOptions.Payee(name: name, amount: text, smallest: uri.amount)
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
