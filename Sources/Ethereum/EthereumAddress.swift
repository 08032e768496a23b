public import Curves
internal import Encoding

/// The address of an account or a contract on Ethereum: the last 20 bytes of the hash of a public key, or of the
/// contract's creation.
public struct EthereumAddress: Hashable, Sendable {
    /// The address's 20 bytes.
    public let bytes: [UInt8]

    /// The size in bytes.
    public static let size = 20
    /// The zero address. Anything sent to it is lost; in a typed-data domain or a log it means that there is no
    /// address.
    public static let zero = EthereumAddress(unchecked: [UInt8](repeating: 0, count: size))

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Creates the address of a contract that a chain has from its beginning: a first and a last byte, and zeros
    /// between them.
    init(predeploy first: UInt8, _ last: UInt8) {
        self.init(unchecked: [first] + [UInt8](repeating: 0, count: Self.size - 2) + [last])
    }

    /// Creates an address of its 20 bytes.
    ///
    /// - Throws: ``EthereumError/badAddress`` if there are not 20 bytes.
    public init(bytes: some Collection<UInt8>) throws(EthereumError) {
        guard bytes.count == Self.size else { throw .badAddress }
        self.bytes = Array(bytes)
    }

    /// Creates the address of a key's account.
    ///
    /// - Precondition: the key is not the identity.
    public init(publicKey: Secp256k1.Point) {
        bytes = Array(Keccak256.hash(publicKey.uncompressed.dropFirst()).suffix(Self.size))
    }

    // MARK: - Text

    /// Whether the case of an address's letters is a checksum (EIP-55).
    public enum Checksum: Sendable {
        /// The case is the checksum, and it matches.
        case matches
        /// All letters have the same case, so a typing mistake would not be noticed. Warn the user before a payment.
        case absent
    }

    /// Reads `0x` and 40 hexadecimal digits.
    ///
    /// - Returns: the address, and whether its case is a checksum (EIP-55).
    /// - Throws: ``EthereumError/badAddress``, or ``EthereumError/malformed(_:)`` with a bad checksum if the letters are of both
    ///   cases and not those of EIP-55.
    public static func read(_ text: String) throws(EthereumError) -> (address: EthereumAddress, checksum: Checksum) {
        let digits = text.utf8.dropFirst(2)
        guard text.utf8.starts(with: "0x".utf8), digits.count == 2 * size else { throw .badAddress }
        guard let bytes = try? Hex.decode(String(decoding: digits, as: UTF8.self)) else { throw .badAddress }
        let address = EthereumAddress(unchecked: bytes)
        if text.utf8.elementsEqual(address.description.utf8) { return (address, .matches) }
        let hasLower = digits.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
        let hasUpper = digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
        guard !(hasLower && hasUpper) else { throw .malformed(.badChecksum) }
        return (address, .absent)
    }

    /// Reads an address, with a checksum that matches or without one.
    ///
    /// - Throws: as ``read(_:)`` does.
    public init(_ text: String) throws(EthereumError) { self = try Self.read(text).address }
}

extension EthereumAddress: CustomStringConvertible {
    /// The address as text: `0x` and 40 digits, whose case is the checksum of EIP-55.
    public var description: String {
        let digits = Array(Hex.encode(bytes).utf8)
        let hash = Keccak256.hash(digits)
        let text = zip(digits.indices, digits).map { index, digit -> UInt8 in
            let nibble = index.isMultiple(of: 2) ? hash[index / 2] >> 4 : hash[index / 2] & 0x0f
            let isLetter = digit >= UInt8(ascii: "a")
            return isLetter && nibble >= 8 ? digit - 0x20 : digit
        }
        return "0x" + String(decoding: text, as: UTF8.self)
    }
}
