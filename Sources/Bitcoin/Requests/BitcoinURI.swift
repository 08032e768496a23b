internal import Encoding

/// A request for a payment as a text, which shops show as a link or a code: `bitcoin:bc1q…?amount=0.01&label=Shop` (BIP-21).
///
/// ``label`` and ``message`` are words of whoever wrote it: show them as such, if at all.
public struct BitcoinURI: Hashable, Sendable {
    /// Whom it asks to pay.
    public let address: Address<Unchecked>
    /// The address as it stands there.
    public let addressText: String
    /// How much; nil where the payer chooses.
    public let amount: Amount?
    /// A name for the address.
    public let label: String?
    /// What the payment is for.
    public let message: String?

    /// Why a text is no request that can be paid.
    public enum Fault: Hashable, Sendable {
        /// It is no URI, it has another scheme, or it is longer than 4,096 bytes.
        case malformed
        /// A parameter is there twice, so that two readers would read two requests.
        case repeated(name: String)
        /// The amount is no number of bitcoins with a point and at most eight decimals, or zero.
        case badAmount
        /// It asks for something that is required, and that this library does not know (`req-…`).
        case unknownRequirement(name: String)
    }

    /// Whether a text is meant to be a request, right or wrong.
    public static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix("bitcoin:") }

    /// Reads a request. Parameters that are not known are ignored, as BIP-21 says, unless they are required.
    ///
    /// - Throws: ``BitcoinError/badURI(_:)``; ``BitcoinError/badAddress`` or ``BitcoinError/malformed(_:)`` as ``Address``.
    public init(_ text: String) throws(BitcoinError) {
        let uri: URIText
        do { uri = try URIText(text) } catch { throw .badURI(.malformed) }
        guard uri.scheme == "bitcoin" else { throw .badURI(.malformed) }
        var known: [String: String] = [:]
        for parameter in uri.parameters {
            // Small and large letters are one in a code of capital letters.
            let name = parameter.name.lowercased()
            guard ["amount", "label", "message"].contains(name) else {
                guard !name.hasPrefix("req-") else { throw .badURI(.unknownRequirement(name: name)) }
                continue
            }
            guard known.updateValue(parameter.value, forKey: name) == nil else { throw .badURI(.repeated(name: name)) }
        }
        amount = try known["amount"].map { text throws(BitcoinError) in
            guard let amount = try? Amount(bitcoins: text), amount > .zero else { throw .badURI(.badAmount) }
            return amount
        }
        (label, message) = (known["label"], known["message"])
        addressText = uri.path
        address = try Address(uri.path)
    }
}
