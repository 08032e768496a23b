internal import Curves
internal import Threshold

extension ECDSA {
    /// Returns a signer's share of zero (DKLs23, protocol 3.4): two signers draw the same number from the seed that
    /// only they know; the higher adds it and the lower subtracts it.
    static func zeroShare(
        of index: ParticipantIndex, pairs: [Pair], session: [UInt8]
    ) -> SecretScalar<Secp256k1> {
        var share = SecretScalar<Secp256k1>(.zero)
        for pair in pairs {
            let hash = SecretLoopHash(TaggedHash.secretHash("zero share", pair.seed, session))
            let term = SecretScalar<Secp256k1>(reducing: hash.secret([[0], [1]]))
            share = pair.peer < index ? share + term : share - term
        }
        return share
    }
}
