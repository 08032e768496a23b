internal import Amounts
public import Curves

/// A signature from which the signer's key can be recovered: r, a low s (EIP-2), and whether y of the nonce's point is odd.
public struct EthereumSignature: Hashable, Sendable {
    /// The numbers r and s.
    public let signature: ECDSASignature
    /// Ethereum's `yParity`: true for 1.
    public let isOdd: Bool

    /// The size of ``encoded``.
    public static let size = 65

    /// Creates a signature from its numbers and the parity of the point R.
    public init(_ signature: ECDSASignature, isOdd: Bool) {
        self.signature = signature
        self.isOdd = isOdd
    }

    /// Creates a signature from that of threshold signers, who know the expected key.
    ///
    /// - Parameter hash: the 32 bytes that were signed.
    /// - Throws: ``EthereumError/wrongSigner`` if the key did not sign this.
    public init(_ signature: ECDSASignature, hash: [UInt8], publicKey: Secp256k1.Point) throws(EthereumError) {
        // Ethereum has no room for the other two, for which no nonce is known.
        guard
            let isOdd = [false, true].first(where: {
                signature.recoveredKey(message: hash, recoveryID: $0 ? 1 : 0) == publicKey
            })
        else { throw .wrongSigner }
        self.init(signature, isOdd: isOdd)
    }

    /// Signs with one key, and verifies the signature.
    ///
    /// - Parameter hash: 32 bytes.
    /// - Throws: ``EthereumError/badKey`` for a key that is zero, or a hash of another size; ``EthereumError/wrongSigner`` if the
    ///   machine miscalculated, or the key is not that of `signer`.
    public static func sign(
        hash: [UInt8], key: borrowing SecretScalar<Secp256k1>, signer: EthereumAddress
    ) throws(EthereumError) -> EthereumSignature {
        guard let (signature, recoveryID) = try? ECDSASignature.signRecoverable(message: hash, key: key) else {
            throw .badKey
        }
        let made = EthereumSignature(signature, isOdd: recoveryID == 1)
        guard recoveryID < 2, made.signer(ofHash: hash) == signer else { throw .wrongSigner }
        return made
    }

    /// Returns the account that signed this hash of 32 bytes; nil if no key can have made the signature.
    public func signer(ofHash hash: [UInt8]) -> EthereumAddress? {
        signature.recoveredKey(message: hash, recoveryID: isOdd ? 1 : 0).map { EthereumAddress(publicKey: $0) }
    }

    /// The signature as `personal_sign` and `eth_signTypedData_v4` return it: r and s in 32 bytes each, then 27 or 28.
    public var encoded: [UInt8] { signature.compact + [isOdd ? 28 : 27] }

    /// Decodes r, s and v: 65 bytes.
    ///
    /// - Throws: ``EthereumError/badSignature`` for another size, an `s` that is high, or a last byte that is neither 27
    ///   nor 28.
    public init(decoding bytes: some Collection<UInt8>) throws(EthereumError) {
        let bytes = Array(bytes)
        guard bytes.count == Self.size, let last = bytes.last, last == 27 || last == 28,
            let signature = try? ECDSASignature(compact: bytes.dropLast())
        else { throw .badSignature }
        self.init(signature, isOdd: last == 28)
    }

    /// Creates a signature of r and s, numbers of up to 32 bytes, big-endian.
    ///
    /// - Throws: ``EthereumError/badSignature`` if one is zero or too large, or s is high.
    init(r: UInt256, s: UInt256, isOdd: Bool) throws(EthereumError) {
        guard let signature = try? ECDSASignature(compact: r.bytes + s.bytes) else { throw .badSignature }
        self.init(signature, isOdd: isOdd)
    }
}
