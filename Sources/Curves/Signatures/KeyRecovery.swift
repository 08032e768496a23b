internal import CSecp256k1
internal import Secrets

extension ECDSASignature {
    /// Returns the public key of this signature (SEC 1, 4.1.6). Up to four keys are possible; the recovery id selects
    /// one.
    ///
    /// - Parameters:
    ///   - message: the hash of the message, 32 bytes.
    ///   - recoveryID: 0 to 3. The lowest bit tells that the nonce's point has an odd y; the next bit, that its x was
    ///     not below the group order, which has never been observed.
    /// - Returns: the key; nil if it does not exist, or an argument is out of range.
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

    /// Returns the recovery id of the key, which Ethereum needs; nil if the key did not make this signature.
    ///
    /// - Parameter message: the hash of the message, 32 bytes.
    public func recoveryID(message: [UInt8], publicKey: Secp256k1.Point) -> Int? {
        (0...3).first { recoveredKey(message: message, recoveryID: $0) == publicKey }
    }
}

extension ECDSASignature {
    /// Signs, in constant time, with the nonce of RFC 6979, and returns the recovery id, too.
    ///
    /// - Parameter message: the hash of the message, 32 bytes.
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
