package import Curves
package import Secrets

extension FROST.BIP340 {
    /// The inputs of the nonces' hash beside randomness. None of them is needed; each makes repeated randomness less
    /// harmful.
    package struct NonceContext {
        var publicShare: [UInt8]
        var xOnlyKey: [UInt8]
        var message: [UInt8]?
        var extra: [UInt8]

        package init(publicShare: [UInt8], xOnlyKey: [UInt8], message: [UInt8]?, extra: [UInt8]) {
            self.publicShare = publicShare
            self.xOnlyKey = xOnlyKey
            self.message = message
            self.extra = extra
        }

        /// The hash's input after `rand`, without the counter at its end.
        fileprivate var encoded: [UInt8] {
            let prefixedMessage = message.map { [1] + bigEndian(UInt64($0.count)) + $0 } ?? [0]
            return [UInt8(publicShare.count)] + publicShare + [UInt8(xOnlyKey.count)] + xOnlyKey
                + prefixedMessage + bigEndian(UInt32(extra.count)) + extra
        }
    }

    /// Returns k₁ and k₂ from a secret seed (`rand`) and the context: NonceGen, from the second step on.
    package static func nonces(
        index: ParticipantIndex, seed: borrowing SecretBytes, context: NonceContext
    ) -> SigningNonces {
        let input = context.encoded
        return SigningNonces(
            index: index,
            hiding: secretHashToScalar("BIP0445/nonce", seed, input + [0]),
            binding: secretHashToScalar("BIP0445/nonce", seed, input + [1]))
    }

    /// Returns the seed (NonceGen, first step): rand = xor_bytes(secshare, hash_BIP0445/aux(rand')).
    ///
    /// - Parameter fill: writes rand', 32 random bytes. All of it happens in one piece of guarded memory, because
    ///   making one takes long.
    package static func seed(
        secret: borrowing SecretScalar<Secp256k1>, random fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> SecretBytes {
        SecretBytes(fleeting: 32) { memory in
            fill(memory)
            var hasher = BIP340.taggedHasher("BIP0445/aux")
            hasher.update(UnsafeRawBufferPointer(memory))
            var mask = hasher.finalize()
            secret.write(to: memory)
            for offset in memory.indices { memory[offset] ^= mask[offset] }
            mask.withUnsafeMutableBytes { wipe($0) }
        }
    }

    /// Returns int(hash_tag(secret || input)) mod n. Nothing of it stays outside guarded memory.
    static func secretHashToScalar(
        _ tag: String, _ secret: borrowing SecretBytes, _ input: [UInt8]
    ) -> SecretScalar<Secp256k1> {
        var hasher = BIP340.taggedHasher(tag)
        hasher.update(secret)
        hasher.update(input)
        return SecretScalar(reducing: hasher.finalizeSecret())
    }
}
