internal import Curves
public import Secrets

/// A private key of Ed25519 with its chain code, from which child keys derive (SLIP-10).
///
/// Every step is hardened: a public key has no children.
public struct Ed25519PrivateKey: ~Copyable, Sendable {
    private let seed: SecretBytes
    private let chainCode: SecretBytes

    /// Creates the master key of a wallet.
    ///
    /// - Parameter seed: 16 to 64 bytes, as `Mnemonic.seed(passphrase:)` gives them.
    /// - Throws: ``HDKeyError/badKey`` for a seed of another size.
    public init(walletSeed seed: borrowing SecretBytes) throws(HDKeyError) {
        guard (16...64).contains(seed.count) else { throw .badKey }
        self.init(code: HMACSHA512.code(key: Array("ed25519 seed".utf8), message: seed))
    }

    /// Creates a key from 64 bytes, which are a key and a chain code.
    private init(code: borrowing SecretBytes) {
        seed = code.prefix(32)
        chainCode = code.suffix(32)
    }

    /// Returns the child at this step.
    ///
    /// - Throws: ``HDKeyError/badPath`` for a step that is not hardened.
    public borrowing func child(_ step: DerivationPath.Step) throws(HDKeyError) -> Ed25519PrivateKey {
        guard step.isHardened else { throw .badPath }
        let message = SecretBytes(fleeting: 37) { message in
            seed.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: message[1..<33]).copyMemory(from: $0) }
            message.storeBytes(of: step.number.bigEndian, toByteOffset: 33, as: UInt32.self)
        }
        return Ed25519PrivateKey(code: HMACSHA512.code(key: chainCode, message: message))
    }

    /// Returns the key at the end of a path.
    ///
    /// - Throws: ``HDKeyError/badPath`` if a step is not hardened.
    public borrowing func derive(_ path: DerivationPath) throws(HDKeyError) -> Ed25519PrivateKey {
        var key = Ed25519PrivateKey(copying: self)
        for step in path.steps { key = try key.child(step) }
        return key
    }

    private init(copying other: borrowing Ed25519PrivateKey) {
        seed = other.seed.clone()
        chainCode = other.chainCode.clone()
    }

    /// Returns the public key, 32 bytes (RFC 8032, 5.1.5).
    public borrowing func publicKey() -> [UInt8] { EdDSA.publicKey(ofSeed: seed) }

    /// Returns the private key of RFC 8032: 32 bytes, whose hash gives the scalar.
    public consuming func privateKey() -> SecretBytes { seed.clone() }

    /// Returns the chain code, 32 bytes, to compare it with known answers.
    borrowing func chainCodeForTesting() -> SecretBytes { chainCode.clone() }
}
