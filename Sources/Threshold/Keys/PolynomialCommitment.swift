package import Curves

/// A secret polynomial in the exponent (Feldman): lets everyone compute the public part of each share.
///
///     F(x) = A₀ + x·A₁ + … + x⁽ᵗ⁻¹⁾·A₍ₜ₋₁₎   where Aₖ = aₖ·G, so that F(x) = f(x)·G
package struct PolynomialCommitment<Group: Curve>: Equatable, Sendable {
    /// A₀ … A₍ₜ₋₁₎.
    package let coefficients: [Group.Point]

    /// - Throws: ``ThresholdError/inconsistentKey`` unless there are exactly `threshold` coefficients. One more would raise
    ///   the threshold without anyone's knowledge, and the key would be lost.
    package init(coefficients: [Group.Point], threshold: Int) throws(ThresholdError) {
        guard coefficients.count == threshold, threshold >= 1 else { throw .inconsistentKey }
        self.init(uncheckedCoefficients: coefficients)
    }

    /// For coefficients that we computed, or whose number was checked.
    package init(uncheckedCoefficients coefficients: [Group.Point]) { self.coefficients = coefficients }

    /// The value at zero: the public key that belongs to the constant coefficient.
    package var constant: Group.Point { coefficients.first ?? .identity }

    /// The public part of the participant's share. In variable time: everything here is public.
    package func share(of index: ParticipantIndex) -> Group.Point {
        let x: Scalar<Group> = index.scalar()
        return coefficients.reversed().reduce(.identity) { value, coefficient in
            value.isIdentity ? coefficient : value.multipliedVariableTime(by: x) + coefficient
        }
    }

    /// The sum of two polynomials. - Precondition: both have as many coefficients.
    package static func + (left: Self, right: Self) -> Self {
        precondition(left.coefficients.count == right.coefficients.count, "polynomials of different thresholds")
        return Self(uncheckedCoefficients: zip(left.coefficients, right.coefficients).map { $0 + $1 })
    }
}
