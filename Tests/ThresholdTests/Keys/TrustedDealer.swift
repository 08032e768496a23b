import Curves
import Secrets
import Threshold

/// A dealer that splits one key among participants, and so knows the whole key: for tests and vectors. Real keys come
/// from the DKG.
struct TrustedDealerForTesting<Group: Curve>: ~Copyable {
    let group: GroupKey<Group>
    private let polynomial: SecretPolynomial<Group>

    init(parameters: ThresholdParameters, random: some RandomSource) throws(ThresholdError) {
        let polynomial = SecretPolynomial<Group>(threshold: parameters.threshold, from: random)
        let commitment = polynomial.commitment()
        group = try GroupKey(
            parameters: parameters, publicKey: commitment.constant,
            verificationShares: parameters.indices.map(commitment.share(of:)))
        self.polynomial = polynomial
    }

    borrowing func share(of index: ParticipantIndex) throws(ThresholdError) -> KeyShare<Group> {
        try KeyShare(index: index, secret: polynomial.share(of: index), group: group)
    }
}
