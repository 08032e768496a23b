public import AuthAPI
internal import Crypto
internal import Encoding
public import Secrets

/// A refresh token that this server made: 70 bytes, as 94 characters of base64url.
///
/// `version 1 | number of the tag's key 1 | family 16 | generation 4 | random 32 | tag 16`. The tag is an HMAC of everything
/// before it, so that a forged token is refused without a query of the store. The store has only ``hash``.
///
/// - Warning: The text is the token, though it is useless without the device's key. The bytes are in ordinary memory, as are
///   the requests and responses that contain them, and are not wiped.
public struct RefreshToken: Sendable, CustomStringConvertible {
    static let version: UInt8 = 1
    static let randomSize = 32
    static let tagSize = 16
    static let size = 54 + tagSize

    /// The family of the token.
    public let family: SessionID
    /// The number of earlier tokens in the family.
    public let generation: UInt32
    let bytes: [UInt8]
    /// The SHA-256 of the 70 bytes, by which the store knows the token.
    public let hash: [UInt8]

    /// Makes a token.
    public init(family: SessionID, generation: UInt32, keys: RefreshTagKeys, random: some RandomSource) {
        var writer = ByteWriter(reserving: Self.size)
        writer.append(Self.version)
        writer.append(keys.current)
        writer.append(family.bytes)
        writer.bigEndian(generation)
        writer.append(random.publicBytes(count: Self.randomSize))
        guard let tag = keys.tag(of: writer.bytes, by: keys.current) else {
            preconditionFailure("the ring has its current key")
        }
        self.init(family: family, generation: generation, bytes: writer.bytes + tag)
    }

    /// Returns the next token of the family; nil after 2^32, which no client reaches: then the family expires.
    public func successor(keys: RefreshTagKeys, random: some RandomSource) -> RefreshToken? {
        let (next, overflow) = generation.addingReportingOverflow(1)
        return overflow ? nil : RefreshToken(family: family, generation: next, keys: keys, random: random)
    }

    /// Reads a presented token.
    ///
    /// - Throws: ``TokensError/tooLong(limit:)``; ``TokensError/malformed(_:)``; ``TokensError/badTag`` if none of the
    ///   keys made it.
    public init(_ text: String, keys: RefreshTagKeys) throws(TokensError) {
        guard text.utf8.count <= TokensLimits.refreshTokenCharacters else {
            throw .tooLong(limit: TokensLimits.refreshTokenCharacters)
        }
        guard let bytes = try? Base64URL.decode(Array(text.utf8)[...]) else { throw .malformed(.refreshToken) }
        let token = try RefreshToken(bytes: bytes)
        guard let tag = keys.tag(of: Array(bytes.dropLast(Self.tagSize)), by: bytes[1]),
            constantTimeEquals(tag, Array(bytes.suffix(Self.tagSize)))
        else { throw .badTag }
        self = token
    }

    /// Reads the bytes of a token without checking its tag: they were sealed.
    init(bytes: [UInt8]) throws(TokensError) {
        do {
            var reader = try ByteReader(bytes, limit: Self.size)
            guard try reader.uint8() == Self.version else { throw TokensError.malformed(.refreshToken) }
            _ = try reader.uint8()
            let family = SessionID(bytes: Array(try reader.bytes(16)))
            let generation = try reader.bigEndian(UInt32.self)
            _ = try reader.bytes(Self.randomSize + Self.tagSize)
            guard let family else { throw TokensError.malformed(.refreshToken) }
            self.init(family: family, generation: generation, bytes: bytes)
        } catch {
            throw .malformed(.refreshToken)
        }
    }

    private init(family: SessionID, generation: UInt32, bytes: [UInt8]) {
        self.family = family
        self.generation = generation
        self.bytes = bytes
        hash = Array(SHA256.hash(data: bytes))
    }

    /// The token as text, 94 characters, for the response to the client.
    public var text: String { Base64URL.encode(bytes) }

    /// The 32 random bytes, which are not stored.
    var random: ArraySlice<UInt8> { bytes.dropLast(Self.tagSize).suffix(Self.randomSize) }

    /// A description that identifies the token without revealing it.
    public var description: String { "<refresh token \(generation) of \(family)>" }
}
