internal import CSecp256k1

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
