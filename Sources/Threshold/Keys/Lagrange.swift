package import Curves

/// Interpolation at zero, where the secret key lies.
package enum Lagrange {
    /// The factor of one share in the sum that gives the polynomial's value at zero.
    ///
    ///     λᵢ = ∏ xⱼ / (xⱼ - xᵢ)   over all j ≠ i of the set
    ///
    /// Numerator and denominator are multiplied up first, so that it costs one inverse and not one for each factor.
    ///
    /// - Precondition: `indices` are distinct, and hold `index`.
    package static func coefficient<Group: Curve>(
        of index: ParticipantIndex, among indices: [ParticipantIndex], in group: Group.Type = Group.self
    ) -> Scalar<Group> {
        precondition(indices.contains(index), "a participant outside the set has no factor in it")
        let own: Scalar<Group> = index.scalar()
        var numerator: Scalar<Group> = .one
        var denominator: Scalar<Group> = .one
        for other in indices where other != index {
            let x: Scalar<Group> = other.scalar()
            numerator = numerator * x
            denominator = denominator * (x - own)
        }
        guard let inverse = try? denominator.inverted() else {
            preconditionFailure("two participants of the set have the same number")
        }
        return numerator * inverse
    }
}

extension ParticipantIndex {
    /// The number as a scalar: where the participant's share lies on the polynomial.
    package func scalar<Group: Curve>(in group: Group.Type = Group.self) -> Scalar<Group> { Scalar(UInt64(value)) }
}
