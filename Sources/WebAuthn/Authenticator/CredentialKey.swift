public import Crypto

/// A private key of P-256 that an authenticator signs with: in memory, or in hardware.
public protocol CredentialKey: Sendable {
    var publicKey: P256.Signing.PublicKey { get }
    /// Returns an ECDSA signature over the SHA-256 of the bytes, in DER.
    ///
    /// - Throws: the error of the key's implementation, if it does not sign.
    func signature(over bytes: [UInt8]) throws -> [UInt8]
}

extension P256.Signing.PrivateKey: CredentialKey {
    public func signature(over bytes: [UInt8]) throws -> [UInt8] { Array(try signature(for: bytes).derRepresentation) }
}
