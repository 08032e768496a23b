package import Curves

/// A secret polynomial in the exponent (Feldman), from which everyone can compute the public part of each share.
///
///     F(x) = A₀ + x·A₁ + … + x⁽ᵗ⁻¹⁾·A₍ₜ₋₁₎   where Aₖ = aₖ·G, so that F(x) = f(x)·G
package struct PolynomialCommitment<Group: Curve>: Equatable, Sendable {
    /// A₀ … A₍ₜ₋₁₎.
    package let coefficients: [Group.Point]

    /// - Throws: ``ThresholdError/inconsistentKey`` unless there are exactly `threshold` coefficients. One more would
    ///   secretly raise the threshold, and the key would be lost.
    package init(coefficients: [Group.Point], threshold: Int) throws(ThresholdError) {
        guard coefficients.count == threshold, threshold >= 1 else { throw .inconsistentKey }
        self.init(uncheckedCoefficients: coefficients)
    }

    /// Creates a commitment of coefficients that were computed here, or whose number was checked.
    package init(uncheckedCoefficients coefficients: [Group.Point]) { self.coefficients = coefficients }

    /// The value at zero: the public key of the constant coefficient.
    package var constant: Group.Point { coefficients.first ?? .identity }

    /// Returns the public part of the participant's share. In variable time: everything here is public.
    package func share(of index: ParticipantIndex) -> Group.Point {
        let x: Scalar<Group> = index.scalar()
        return coefficients.reversed().reduce(.identity) { value, coefficient in
            value.isIdentity ? coefficient : value.multipliedVariableTime(by: x) + coefficient
        }
    }

    /// Returns the public parts of the shares of participants 1 to `total`. In variable time, and faster than one by
    /// one.
    ///
    /// Values at consecutive places differ by a polynomial of lower degree: after as many values as there are
    /// coefficients, each further one needs additions only.
    /// coefficients, each further one takes additions only.
    package func shares(total: Int) -> [Group.Point] {
        let degree = coefficients.count - 1
        var values = [constant]
        for place in stride(from: 1, through: min(degree, total), by: 1) {
            values.append(share(of: ParticipantIndex(unchecked: place)))
        }
        guard total > degree else { return Array(values.dropFirst()) }
        // The last value, and its last first, second, … differences. That of order t - 1 stays the same.
        var last: [Group.Point] = []
        var row = Array(values.prefix(degree + 1))
        while let value = row.last {
            last.append(value)
            row = zip(row.dropFirst(), row).map { $0 - $1 }
        }
        while values.count <= total {
            for order in stride(from: degree - 1, through: 0, by: -1) { last[order] = last[order] + last[order + 1] }
            values.append(last[0])
        }
        return Array(values.dropFirst())
    }

    /// Returns the sum of two polynomials. - Precondition: Both have the same number of coefficients.
    package static func + (left: Self, right: Self) -> Self {
        precondition(left.coefficients.count == right.coefficients.count, "polynomials of different thresholds")
        return Self(uncheckedCoefficients: zip(left.coefficients, right.coefficients).map { $0 + $1 })
    }
}
