internal import Encoding

/// A payment request as text, which shops show as a link or a code: `bitcoin:bc1q…?amount=0.01&label=Shop` (BIP-21).
///
/// ``label`` and ``message`` were written by the author of the request: show them as such, if at all.
public struct BitcoinURI: Hashable, Sendable {
    /// The address to be paid.
    public let address: Address<Unchecked>
    /// The address as it is in the text.
    public let addressText: String
    /// The requested amount; nil if the payer chooses.
    public let amount: Amount?
    /// A name for the address.
    public let label: String?
    /// The purpose of the payment.
    public let message: String?

    /// The reasons why a text is not a valid request.
    public enum Fault: Hashable, Sendable {
        /// The text is not a URI, has another scheme, or is longer than 4,096 bytes.
        case malformed
        /// A parameter occurs twice, so that two readers could understand two requests.
        case repeated(name: String)
        /// The amount is zero, or is not a number of bitcoins with a point and at most eight decimals.
        case badAmount
        /// The request has a required parameter that this library does not know (`req-…`).
        case unknownRequirement(name: String)
    }

    /// Returns whether a text is a request, valid or not.
    public static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix("bitcoin:") }

    /// Reads a request. Unknown parameters are ignored, as BIP-21 says, unless they are required.
    ///
    /// - Throws: ``BitcoinError/badURI(_:)``; ``BitcoinError/badAddress`` or ``BitcoinError/malformed(_:)`` as ``Address``.
    public init(_ text: String) throws(BitcoinError) {
        let uri: URIText
        do { uri = try URIText(text) } catch { throw .badURI(.malformed) }
        guard uri.scheme == "bitcoin" else { throw .badURI(.malformed) }
        var known: [String: String] = [:]
        for parameter in uri.parameters {
            // Case is ignored: a code may be in capital letters.
            let name = parameter.name.lowercased()
            guard ["amount", "label", "message"].contains(name) else {
                guard !name.hasPrefix("req-") else { throw .badURI(.unknownRequirement(name: name)) }
                continue
            }
            guard known.updateValue(parameter.value, forKey: name) == nil else { throw .badURI(.repeated(name: name)) }
        }
        amount = try known["amount"].map { text throws(BitcoinError) in
            guard let amount = try? Amount(bitcoins: Self.completed(text)), amount > .zero else {
                throw .badURI(.badAmount)
            }
            return amount
        }
        (label, message) = (known["label"], known["message"])
        addressText = uri.path
        address = try Address(uri.path)
    }

    /// Adds the zero that BIP-21's grammar lets a request leave out before or after the point: `.5` is 0.5, `5.` is 5.
    private static func completed(_ amount: String) -> String {
        guard amount != "." else { return amount }
        return (amount.hasPrefix(".") ? "0" : "") + (amount.hasSuffix(".") ? String(amount.dropLast()) : amount)
    }
}
