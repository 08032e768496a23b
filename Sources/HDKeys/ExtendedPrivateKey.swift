public import Curves
public import Secrets

/// A private key with its chain code, from which child keys derive (BIP-32).
///
/// - Warning: An unhardened child's private key and the parent's extended public key give the parent's private key. So
///   none of these keys is printed; only ``exportedText(on:danger:)`` returns one.
public struct ExtendedPrivateKey: ~Copyable, Sendable {
    /// The number of steps from the master key, 0...255.
    public let depth: UInt8
    /// The fingerprint of the parent key; zeros for a master key.
    public let parentFingerprint: KeyFingerprint
    /// The number of the last step; the highest bit means that it was hardened.
    public let childNumber: UInt32
    /// The public key of the private one.
    public let point: Secp256k1.Point
    let chainCode: SecretBytes
    let key: SecretScalar<Secp256k1>

    /// Creates the master key of a wallet.
    ///
    /// - Parameter seed: 16 to 64 bytes, as `Mnemonic.seed(passphrase:)` gives them.
    /// - Throws: ``HDKeyError/badKey`` for a seed of another size, and for one without a valid key, which is less
    ///   likely than 2⁻¹²⁷.
    public init(seed: borrowing SecretBytes) throws(HDKeyError) {
        guard (16...64).contains(seed.count) else { throw .badKey }
        let code = HMACSHA512.code(key: Array("Bitcoin seed".utf8), message: seed)
        try self.init(
            depth: 0, parentFingerprint: .none, childNumber: 0, chainCode: code.suffix(32),
            key: try Self.scalar(code.prefix(32)))
    }

    /// - Throws: ``HDKeyError/badKey`` if the key is zero.
    init(
        depth: UInt8, parentFingerprint: KeyFingerprint, childNumber: UInt32, chainCode: consuming SecretBytes,
        key: consuming SecretScalar<Secp256k1>
    ) throws(HDKeyError) {
        let point = key.timesGenerator()
        guard !point.isIdentity else { throw .badKey }
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.point = point
        self.chainCode = chainCode
        self.key = key
    }

    /// Converts 32 bytes to a scalar.
    ///
    /// - Throws: ``HDKeyError/badKey`` for a number that is not below the group order.
    static func scalar(_ bytes: borrowing SecretBytes) throws(HDKeyError) -> SecretScalar<Secp256k1> {
        do { return try SecretScalar(canonical: bytes) } catch { throw .badKey }
    }

    /// The first four bytes of the public key's short hash (BIP-32).
    public var fingerprint: KeyFingerprint { KeyFingerprint(of: point) }

    // MARK: - Derivation

    /// Returns the child at this step (CKDpriv).
    ///
    /// - Throws: ``HDKeyError/badPath`` at depth 255; ``HDKeyError/badKey`` if this step has no child, which is less
    ///   likely than 2⁻¹²⁷.
    public borrowing func child(_ step: DerivationPath.Step) throws(HDKeyError) -> ExtendedPrivateKey {
        guard depth < .max else { throw .badPath }
        // A hardened child derives from the private key, 0 before its 32 bytes; another one from the public key.
        let message = SecretBytes(fleeting: 37) { message in
            if step.isHardened {
                key.encoded().withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: message[1..<33]).copyMemory(from: $0)
                }
            } else {
                message.copyBytes(from: point.encoded)
            }
            message.storeBytes(of: step.number.bigEndian, toByteOffset: 33, as: UInt32.self)
        }
        let code = HMACSHA512.code(key: chainCode, message: message)
        return try ExtendedPrivateKey(
            depth: depth + 1, parentFingerprint: fingerprint, childNumber: step.number, chainCode: code.suffix(32),
            key: try Self.scalar(code.prefix(32)) + key)
    }

    /// Returns the key at the end of a path.
    ///
    /// - Throws: ``HDKeyError/badPath`` if the depth would exceed 255; ``HDKeyError/badKey``, see above.
    public borrowing func derive(_ path: DerivationPath) throws(HDKeyError) -> ExtendedPrivateKey {
        var key = clone()
        for step in path.steps { key = try key.child(step) }
        return key
    }

    /// Returns the key of an account.
    ///
    /// - Throws: ``HDKeyError/badKey`` if this key has a parent, because templates begin at the master key; or see
    ///   above.
    public borrowing func derive(_ account: AccountTemplate) throws(HDKeyError) -> ExtendedPrivateKey {
        guard depth == 0 else { throw .badKey }
        return try derive(account.path)
    }

    /// Returns a second guarded copy.
    public borrowing func clone() -> ExtendedPrivateKey {
        ExtendedPrivateKey(copying: self)
    }

    private init(copying other: borrowing ExtendedPrivateKey) {
        depth = other.depth
        parentFingerprint = other.parentFingerprint
        childNumber = other.childNumber
        point = other.point
        chainCode = other.chainCode.clone()
        key = other.key.clone()
    }

    // MARK: - Derived keys

    /// Returns the extended public key (BIP-32, N).
    ///
    /// Its chain code is not in guarded memory: it is private, though not secret.
    public borrowing func neutered() -> ExtendedPublicKey {
        ExtendedPublicKey(
            depth: depth, parentFingerprint: parentFingerprint, childNumber: childNumber,
            chainCode: chainCode.withUnsafeBytes { Array($0) }, point: point)
    }

    /// Returns the private key alone, to sign with.
    public consuming func privateKey() -> SecretScalar<Secp256k1> { key }

    /// The danger that the caller of ``exportedText(on:danger:)`` accepts.
    public enum Danger: Sendable {
        /// Accepts that every reader of the text has every key below it.
        case whoeverReadsItHasEveryKeyBelow
    }
}
