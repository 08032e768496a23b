internal import Encoding

/// The public keys of a server that signs access tokens: a JSON Web Key Set (RFC 7517 section 5).
///
/// A key is published before it signs, and stays published until the last token that it signed has expired.
public struct VerificationKeys: Sendable, Equatable {
    /// The keys, each once, starting with the one that signs.
    public let keys: [PublicJWK]

    /// Creates the set of present, future and former keys.
    ///
    /// - Parameters:
    ///   - current: the key that signs now.
    ///   - next: keys that will sign.
    ///   - retired: keys whose tokens may not have expired yet.
    /// - Throws: ``TokensError/malformed(_:)`` if a key occurs twice, ``TokensError/tooLong(limit:)`` if there are too
    ///   many.
    public init(current: PublicJWK, next: [PublicJWK], retired: [PublicJWK]) throws(TokensError) {
        try self.init([current] + next + retired)
    }

    /// Reads a key set.
    ///
    /// Keys of other kinds and uses are ignored (RFC 7517 section 5); an id that is not the key's thumbprint is an
    /// error.
    /// - Throws: ``TokensError/tooLong(limit:)``; ``TokensError/malformed(_:)`` for other documents, for a key that
    ///   occurs twice or under another's id, and for a set without a usable key.
    public init(document: [UInt8]) throws(TokensError) {
        let limit = TokensLimits.keySetBytes
        guard document.count <= limit else { throw .tooLong(limit: limit) }
        guard let json = try? JSON(decoding: document, limit: limit, depth: TokensLimits.depth),
            let members = json["keys"]?.array
        else { throw .malformed(.keySet) }
        guard members.count <= TokensLimits.verificationKeys else {
            throw .tooLong(limit: TokensLimits.verificationKeys)
        }
        var keys: [PublicJWK] = []
        for member in members {
            let key: PublicJWK
            do {
                key = try PublicJWK(member)
            } catch .unsupportedKey {
                continue
            }
            guard member["kid"] == .string(key.thumbprint.description) else { throw .malformed(.keySet) }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw .malformed(.keySet) }
        try self.init(keys)
    }

    private init(_ keys: [PublicJWK]) throws(TokensError) {
        guard keys.count <= TokensLimits.verificationKeys else {
            throw .tooLong(limit: TokensLimits.verificationKeys)
        }
        for (position, key) in keys.enumerated() where keys[..<position].contains(key) { throw .malformed(.keySet) }
        self.keys = keys
    }

    /// Returns the key with this id.
    public subscript(id: KeyThumbprint) -> PublicJWK? { keys.first { $0.thumbprint == id } }

    /// The key set, `{"keys":[…]}`, to be served as `application/jwk-set+json`.
    public var document: [UInt8] {
        let members: JSON = ["keys": .array(keys.map(\.published))]
        return members.encoded
    }
}
