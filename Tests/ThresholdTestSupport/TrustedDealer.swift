package import Curves
package import Secrets
package import Threshold

/// A dealer that splits one key among participants, and so knows the whole key: for tests and vectors. Real keys come
/// from `Sharing`.
package struct TrustedDealerForTesting<Group: Curve>: ~Copyable {
    package let group: GroupKey<Group>
    private let polynomial: SecretPolynomial<Group>

    package init(parameters: ThresholdParameters, random: some RandomSource) throws(ThresholdError) {
        let polynomial = SecretPolynomial<Group>(threshold: parameters.threshold, from: random)
        let commitment = polynomial.commitment()
        group = try GroupKey(
            parameters: parameters, publicKey: commitment.constant,
            verificationShares: parameters.indices.map(commitment.share(of:)))
        self.polynomial = polynomial
    }

    package borrowing func share(of index: ParticipantIndex) throws(ThresholdError) -> KeyShare<Group> {
        try KeyShare(index: index, secret: polynomial.share(of: index), group: group)
    }
}
