public import Amounts
public import Bitcoin
public import DisplayText
public import Ethereum

/// A request for a payment, made by the payee: a URI of BIP-21 or ERC-681.
public enum PaymentRequest: Hashable, Sendable {
    /// A request of BIP-21.
    case bitcoin(BitcoinURI)
    /// A request of ERC-681.
    case ethereum(EthereumURI)

    /// Reads a request.
    ///
    /// - Returns: nil for a text that is not meant as a request.
    /// - Throws: ``PaymentRequestFault/bitcoin(_:)`` and ``PaymentRequestFault/ethereum(_:)``.
    public init?(_ text: String) throws(PaymentRequestFault) {
        if BitcoinURI.isMeant(by: text) {
            do { self = .bitcoin(try BitcoinURI(text)) } catch { throw .bitcoin(error) }
        } else if EthereumURI.isMeant(by: text) {
            do { self = .ethereum(try EthereumURI(text)) } catch { throw .ethereum(error) }
        } else {
            return nil
        }
    }

    /// Checks that the request is for this chain and token.
    ///
    /// - Parameter token: the token's contract; nil for the chain's coin.
    /// - Throws: ``PaymentRequestFault/forBitcoin``, ``PaymentRequestFault/forChain(_:chosen:)``,
    ///   ``PaymentRequestFault/forToken(_:)``, ``PaymentRequestFault/forCoins``.
    public func check(on chain: ChainName, token: EthereumAddress?) throws(PaymentRequestFault) {
        switch (self, chain) {
        case (.bitcoin, .bitcoin): return
        case (.bitcoin, .ethereum): throw .forBitcoin
        case (.ethereum(let uri), .bitcoin): throw .forChain(uri.chain ?? .ethereum, chosen: nil)
        case (.ethereum(let uri), .ethereum(let id)):
            if let asked = uri.chain, asked != id { throw .forChain(asked, chosen: id) }
            guard uri.token == token else { throw uri.token.map { .forToken($0) } ?? .forCoins }
        }
    }

    /// The request's texts for the payer, safe to show.
    public var words: [SanitizedText] {
        guard case .bitcoin(let uri) = self else { return [] }
        return [uri.label, uri.message].compactMap { text in
            text.map { SanitizedText($0, limit: WalletLimits.requestText, lines: .one) }
        }
    }

    /// Returns the payee of the request.
    ///
    /// - Parameter amount: the amount that the payer chose.
    /// - Throws: ``PaymentRequestFault/amountTwice``, ``PaymentRequestFault/noAmount``.
    func payee(paying amount: String?) throws(PaymentRequestFault) -> NamedPayee {
        let (name, asked): (String, String?) =
            switch self {
            case .bitcoin(let uri): (uri.addressText, uri.amount.map { "\($0.bitcoins)btc" })
            case .ethereum(let uri): (uri.payeeText, uri.amount.map { "\($0)wei" })
            }
        guard asked == nil || amount == nil else { throw .amountTwice }
        guard let text = asked ?? amount else { throw .noAmount }
        guard case .ethereum(let uri) = self, uri.token != nil, asked != nil else {
            return NamedPayee(name: name, amount: text)
        }
        return NamedPayee(name: name, amount: text, smallest: uri.amount)
    }
}

/// A payee as the user names it, with an amount.
public struct NamedPayee: Equatable, Sendable {
    /// An address, or the name of a contact.
    public let name: String
    /// The amount with its unit, or `all`.
    public let amount: String
    /// The amount of tokens in their smallest unit, if a payment request names it.
    public var smallest: UInt256?

    /// The ``amount`` that stands for the whole balance.
    public static let all = "all"

    /// Reads the payees: one payee and an amount, one payment request, or several payees, each as `payee=amount`.
    ///
    /// - Returns: the payees, in their order; never empty.
    /// - Throws: ``PaymentRequestFault``.
    public static func read(_ texts: [String], amount: String?) throws(PaymentRequestFault) -> [NamedPayee] {
        guard let first = texts.first else { throw .nobody }
        if let request = try request(among: texts) { return [try request.payee(paying: amount)] }
        if let amount {
            guard texts.count == 1 else { throw .amountForSeveral(texts) }
            return [NamedPayee(name: first, amount: amount)]
        }
        return try texts.map { text throws(PaymentRequestFault) in
            // A contact's name may have an equals sign in it, and an amount has none.
            guard let sign = text.lastIndex(of: "="), sign > text.startIndex, text.index(after: sign) < text.endIndex
            else { throw texts.count == 1 ? .amountMissing : .amountMissingOf(text) }
            return NamedPayee(name: String(text[..<sign]), amount: String(text[text.index(after: sign)...]))
        }
    }

    /// Returns the payment request among the texts that name payees; nil without one.
    ///
    /// - Throws: ``PaymentRequestFault/amongOthers`` if the list has other payees, too.
    public static func request(among texts: [String]) throws(PaymentRequestFault) -> PaymentRequest? {
        guard let text = texts.first(where: { BitcoinURI.isMeant(by: $0) || EthereumURI.isMeant(by: $0) }) else {
            return nil
        }
        guard texts.count == 1 else { throw .amongOthers }
        return try PaymentRequest(text)
    }
}

/// The reason why a payment request, or a list of payees, cannot be paid.
public enum PaymentRequestFault: Error, Equatable, Sendable {
    /// No payee was named.
    case nobody
    /// One amount was named for several payees.
    case amountForSeveral([String])
    /// No amount was named.
    case amountMissing
    /// One of several payees has no amount.
    case amountMissingOf(String)
    /// The list has a payment request and other payees.
    case amongOthers
    /// The request of BIP-21 is malformed.
    case bitcoin(BitcoinError)
    /// The request of ERC-681 is malformed.
    case ethereum(EthereumError)
    /// The request names the amount, and so did the payer.
    case amountTwice
    /// Neither the request nor the payer names an amount.
    case noAmount
    /// The request is for Bitcoin, and another chain was chosen.
    case forBitcoin
    /// The request is for this chain; the chosen one is nil for Bitcoin.
    case forChain(ChainID, chosen: ChainID?)
    /// The request is for this token.
    case forToken(EthereumAddress)
    /// The request is for the chain's coin, and a token was chosen.
    case forCoins
}
