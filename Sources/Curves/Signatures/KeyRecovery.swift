internal import CSecp256k1
internal import Secrets

extension ECDSASignature {
    /// The key of which this is a signature, given which of the up to four that it is (SEC 1, 4.1.6).
    ///
    /// - Parameters:
    ///   - message: 32 bytes, the hash of what was signed.
    ///   - recoveryID: 0 to 3. The lowest bit says that the nonce's point has an odd y; the next, that its x was not below
    ///     the group order, which nobody has ever seen.
    /// - Returns: nil if there is no such key, or an argument is outside of its range.
    public func recoveredKey(message: [UInt8], recoveryID: Int) -> Secp256k1.Point? {
        guard message.count == 32, (0...3).contains(recoveryID) else { return nil }
        let context = Secp256k1.Context.shared.pointer
        var signature = secp256k1_ecdsa_recoverable_signature()
        var key = secp256k1_pubkey()
        guard
            secp256k1_ecdsa_recoverable_signature_parse_compact(context, &signature, compact, Int32(recoveryID)) == 1,
            secp256k1_ecdsa_recover(context, &key, &signature, message) == 1
        else { return nil }
        return Secp256k1.Point(key)
    }

    /// The number with which the key can be recovered, as Ethereum asks for it; nil if the key did not sign this.
    ///
    /// - Parameter message: 32 bytes, the hash of what was signed.
    public func recoveryID(message: [UInt8], publicKey: Secp256k1.Point) -> Int? {
        (0...3).first { recoveredKey(message: message, recoveryID: $0) == publicKey }
    }
}

extension ECDSASignature {
    /// Signs, in constant time, with the nonce of RFC 6979, and tells the number with which the key can be recovered.
    ///
    /// - Parameter message: 32 bytes, the hash of what is signed.
    /// - Throws: ``CurvesError/zero`` for a key that is zero, ``CurvesError/wrongSize(expected:got:)``.
    public static func signRecoverable(
        message: [UInt8], key: borrowing SecretScalar<Secp256k1>
    ) throws(CurvesError) -> (signature: ECDSASignature, recoveryID: Int) {
        guard message.count == 32 else { throw .wrongSize(expected: 32, got: message.count) }
        guard !key.isZero else { throw .zero }
        let context = Secp256k1.Context.shared.pointer
        var signature = secp256k1_ecdsa_recoverable_signature()
        let isSigned = key.bytes.withUnsafeBytes {
            secp256k1_ecdsa_sign_recoverable(context, &signature, message, $0.start, nil, nil)
        }
        precondition(isSigned == 1, "a key that is neither zero nor out of range was refused")
        var compact = [UInt8](repeating: 0, count: compactSize)
        var recoveryID: Int32 = 0
        secp256k1_ecdsa_recoverable_signature_serialize_compact(context, &compact, &recoveryID, &signature)
        return (try ECDSASignature(compact: compact), Int(recoveryID))
    }
}
