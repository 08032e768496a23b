package import Curves
package import Secrets

/// A polynomial with secret coefficients: its value at zero is a secret key, its values at 1...n are the shares.
///
///     f(x) = a₀ + a₁·x + … + a₍ₜ₋₁₎·x⁽ᵗ⁻¹⁾
package struct SecretPolynomial<Group: Curve>: ~Copyable, @unchecked Sendable {
    // `@unchecked`: the buffer is written only before `init` returns. An array cannot contain the noncopyable
    // coefficients; each is in guarded memory of its own, and this buffer has only their references.
    private let coefficients: UnsafeMutableBufferPointer<SecretScalar<Group>>

    /// Makes a polynomial with the given value at zero, and random further coefficients.
    ///
    /// - Parameter threshold: the number of coefficients, and of points that determine the polynomial.
    package init(
        constant: consuming SecretScalar<Group>, threshold: Int, from random: some RandomSource
    ) {
        precondition(threshold >= 1, "a polynomial has at least one coefficient")
        coefficients = .allocate(capacity: threshold)
        coefficients.initializeElement(at: 0, to: constant)
        for power in 1..<max(threshold, 1) {
            coefficients.initializeElement(at: power, to: SecretScalar(from: random))
        }
    }

    /// Makes a polynomial with random coefficients, whose value at zero is a new secret key.
    package init(threshold: Int, from random: some RandomSource) {
        self.init(constant: SecretScalar(from: random), threshold: threshold, from: random)
    }

    /// Makes a polynomial with the given coefficients.
    package init(threshold: Int, coefficient: (Int) -> SecretScalar<Group>) {
        precondition(threshold >= 1, "a polynomial has at least one coefficient")
        coefficients = .allocate(capacity: threshold)
        for power in 0..<threshold { coefficients.initializeElement(at: power, to: coefficient(power)) }
    }

    deinit {
        coefficients.deinitialize()
        coefficients.deallocate()
    }

    /// The number of coefficients.
    package var threshold: Int { coefficients.count }

    /// Returns the value at the participant's index: its share. By Horner's rule, in constant time.
    package borrowing func share(of index: ParticipantIndex) -> SecretScalar<Group> {
        let x: Scalar<Group> = index.scalar()
        guard threshold > 1 else { return coefficients[0].clone() }
        var value = coefficients[threshold - 1] * x + coefficients[threshold - 2]
        for power in stride(from: threshold - 3, through: 0, by: -1) {
            value = value * x + coefficients[power]
        }
        return value
    }

    /// Returns the public counterpart: each coefficient times the generator.
    package borrowing func commitment() -> PolynomialCommitment<Group> {
        PolynomialCommitment(uncheckedCoefficients: coefficients.indices.map { coefficients[$0].timesGenerator() })
    }

    /// Calls `body` with one of the coefficients.
    ///
    /// - Precondition: 0 <= power < threshold.
    package borrowing func withCoefficient<Result: ~Copyable>(
        _ power: Int, _ body: (borrowing SecretScalar<Group>) -> Result
    ) -> Result {
        body(coefficients[power])
    }
}
