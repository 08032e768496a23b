package import Curves

/// Interpolation at zero, where the polynomial's value is the secret key.
package enum Lagrange {
    /// Returns the factor of one share in the sum that gives the polynomial's value at zero.
    ///
    ///     λᵢ = ∏ xⱼ / (xⱼ - xᵢ)   over all j ≠ i of the set
    ///
    /// Both products fit into a word, as there are 15 participants at most: 15! is below 2⁴¹.
    ///
    /// - Precondition: `indices` are distinct, and contain `index`.
    package static func coefficient<Group: Curve>(
        of index: ParticipantIndex, among indices: [ParticipantIndex], in group: Group.Type = Group.self
    ) -> Scalar<Group> {
        precondition(
            indices.contains(index) && Set(indices).count == indices.count,
            "a set of participants holds each once, and the one whose factor is asked for")
        var numerator: UInt64 = 1
        var denominator: UInt64 = 1
        var isNegative = false
        for other in indices where other != index {
            numerator *= UInt64(other.value)
            denominator *= UInt64((other.value - index.value).magnitude)
            if other < index { isNegative.toggle() }
        }
        let factor = Scalar<Group>(numerator, dividedBy: denominator)
        return isNegative ? -factor : factor
    }
}

extension ParticipantIndex {
    /// Returns the index as a scalar: the place of the participant's share on the polynomial.
    package func scalar<Group: Curve>(in group: Group.Type = Group.self) -> Scalar<Group> { Scalar(UInt64(value)) }
}
