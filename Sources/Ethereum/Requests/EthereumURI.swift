public import Amounts
internal import Encoding

/// A payment request as text (ERC-681): `ethereum:0x…@8453?value=2.5e18` for coins,
/// `ethereum:TOKEN@1/transfer?address=0x…&uint256=1e6` for tokens. Names in place of addresses, and other functions of
/// contracts, are not accepted.
public struct EthereumURI: Hashable, Sendable {
    /// The payee.
    public let payee: EthereumAddress
    /// The payee's address as it is in the text: ``EthereumAddress/read(_:)`` says whether its letters are a checksum.
    public let payeeText: String
    /// The chain; nil if the text names none, and means the payer's.
    public let chain: ChainID?
    /// The contract of the tokens; nil for the chain's coins.
    public let token: EthereumAddress?
    /// The amount in the smallest unit of the coin or token; nil if the payer chooses.
    public let amount: UInt256?

    /// The reasons why a text is not a valid request.
    public enum Fault: Hashable, Sendable {
        /// The text is not a URI, has another scheme, or is longer than 4,096 bytes.
        case malformed
        /// A parameter occurs twice, so that two readers could understand two requests.
        case repeated(name: String)
        /// An amount is zero, or is not a whole number of the smallest unit of at most 256 bits.
        case badAmount
        /// The request calls a contract's function other than a token transfer.
        case otherFunction
        /// A token transfer names no payee, or also asks for coins.
        case badTransfer
    }

    /// Returns whether a text is a request, valid or not.
    public static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix("ethereum:") }

    /// Reads a request. Its gas parameters are ignored: the payer decides about fees.
    ///
    /// - Throws: ``EthereumError/badURI(_:)``, ``EthereumError/badChainID``; ``EthereumError/badAddress`` or
    ///   ``EthereumError/malformed(_:)`` as ``EthereumAddress``.
    public init(_ text: String) throws(EthereumError) {
        let uri: URIText
        do { uri = try URIText(text) } catch { throw .badURI(.malformed) }
        guard uri.scheme == "ethereum" else { throw .badURI(.malformed) }
        var known: [String: String] = [:]
        for parameter in uri.parameters where ["value", "address", "uint256"].contains(parameter.name) {
            guard known.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw .badURI(.repeated(name: parameter.name))
            }
        }
        let path = uri.path.hasPrefix("pay-") ? uri.path.dropFirst(4) : uri.path[...]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let target = parts[0].split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, target.count <= 2 else { throw .badURI(.malformed) }
        if target.count == 2 {
            guard let number = UInt64(target[1]) else { throw .badChainID }
            chain = try ChainID(number)
        } else {
            chain = nil
        }
        if parts.count == 2 {
            guard parts[1] == "transfer" else { throw .badURI(.otherFunction) }
            guard let receiver = known["address"], known["value"] == nil else { throw .badURI(.badTransfer) }
            token = try EthereumAddress(String(target[0]))
            payeeText = receiver
            amount = try known["uint256"].map(Self.number)
        } else {
            guard known["address"] == nil, known["uint256"] == nil else { throw .badURI(.otherFunction) }
            token = nil
            payeeText = String(target[0])
            amount = try known["value"].map(Self.number)
        }
        payee = try EthereumAddress(payeeText)
    }

    /// Reads a number such as `1500000` or `1.5e6`, without rounding.
    private static func number(_ text: String) throws(EthereumError) -> UInt256 {
        let halves = text.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let exponent = halves.count == 2 ? Int(halves[1]) : 0
        let (whole, fraction) = (parts[0], parts.count == 2 ? parts[1] : "")
        let digits = whole + fraction
        guard let exponent, (0...Self.digits).contains(exponent), fraction.count <= exponent,
            parts.count == 1 || !fraction.isEmpty, !digits.isEmpty, digits.utf8.count <= Self.digits,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            halves.count == 1 || halves[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = try? UInt256(decimal: digits + String(repeating: "0", count: exponent - fraction.count)),
            number != .zero
        else { throw .badURI(.badAmount) }
        return number
    }

    /// The maximum number of decimal digits of a number of 256 bits.
    private static let digits = 78
}
