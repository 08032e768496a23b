internal import Crypto
public import Secrets

/// A private key of P-256 that signs tokens or proofs.
///
/// swift-crypto keeps the key, and wipes it with the last copy of this value. swift-crypto (BoringSSL) also draws the
/// nonces of signatures.
public struct SigningKey: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The public half. Its thumbprint is the `kid`.
    public let publicKey: PublicJWK
    /// The header of ``AccessToken/encodedHeader(of:)``, made once.
    let accessTokenHeader: [UInt8]

    /// Makes a key from 32 random bytes.
    public init(from random: some RandomSource) {
        // One draw in 2^32 is not below the group order, and is repeated.
        for _ in 0..<64 {
            if let key = try? SigningKey(importing: SecretBytes(count: 32, from: random)) {
                self = key
                return
            }
        }
        preconditionFailure("this source of randomness does not give random bytes")
    }

    /// Imports the private key's scalar.
    ///
    /// - Parameter secret: 32 bytes, as from ``exported()``.
    /// - Throws: ``TokensError/unsupportedKey`` if they are not a private key.
    public init(importing secret: borrowing SecretBytes) throws(TokensError) {
        let key = secret.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
        guard let key else { throw .unsupportedKey }
        self.key = key
        publicKey = PublicJWK(key.publicKey)
        accessTokenHeader = AccessToken.encodedHeader(of: publicKey)
    }

    /// Returns the 32 bytes of the private key, for a sealed store.
    public func exported() -> SecretBytes {
        // swift-crypto returns the bytes in one ordinary allocation with no other reference, which is wiped in place.
        var exported = key.rawRepresentation
        return SecretBytes(count: 32) { memory in
            memory.copyBytes(from: exported)
            wipeElements(of: &exported)
        }
    }

    /// Returns the signature: `r` and `s`, 32 bytes each (RFC 7518 section 3.4).
    func signature(for bytes: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: PublicJWK.digest(bytes)).rawRepresentation)
        } catch {
            preconditionFailure("BoringSSL had no memory or no randomness for a signature")
        }
    }
}

/// Overwrites bytes in place, one by one: Foundation's `Data`, which is not imported here, has no contiguous storage
/// that the standard library could overwrite.
@inline(never)
private func wipeElements(of bytes: inout some MutableCollection<UInt8>) {
    var index = bytes.startIndex
    while index != bytes.endIndex {
        bytes[index] = 0
        bytes.formIndex(after: &index)
    }
}
