import Secrets

@testable import Curves

/// Arithmetic on secret scalars of a curve. The fixed secret is 2: it has few bits, and sums and products with it wrap
/// around less often than with others.
enum ScalarExperiments<Group: Curve> {
    static func all(_ curve: String) -> [Experiment] {
        let point = random().timesGenerator()
        return [
            operation("\(curve) +", 16) { use($0 + $1) },
            operation("\(curve) -", 16) { use($0 - $1) },
            operation("\(curve) ×", 16) { use($0 * $1) },
            operation("\(curve) negated", 16) { secret, _ in use(secret.negated()) },
            operation("\(curve) inverted", 1, measurements: 10_000) { secret, _ in use(inverse(of: secret)) },
            Experiment(name: "\(curve) read", repetitions: 2, measurements: 20_000) { kind in
                let bytes = Box(scalar(kind).encoded())
                return { use(read(bytes.value)) }
            },
            Experiment(name: "\(curve) reduced from 64 bytes", repetitions: 16, measurements: 20_000) { kind in
                let bytes = Box(kind.bytes(count: 64))
                return { use(SecretScalar<Group>(reducing: bytes.value)) }
            },
            operation("\(curve) times the generator", 1, measurements: 8_000) { secret, _ in
                use(secret.timesGenerator())
            },
            operation("\(curve) shared secret", 1, measurements: 5_000) { secret, _ in
                use(shared(secret, point))
            },
        ]
    }

    private static func operation(
        _ name: String, _ repetitions: Int, measurements: Int = 20_000,
        _ body: @escaping (borrowing SecretScalar<Group>, borrowing SecretScalar<Group>) -> Void
    ) -> Experiment {
        Experiment(name: name, repetitions: repetitions, measurements: measurements) { kind in
            let secret = Box(scalar(kind))
            let other = Box(random())
            return { body(secret.value, other.value) }
        }
    }

    private static func random() -> SecretScalar<Group> { SecretScalar(from: SystemRandom()) }

    private static func scalar(_ kind: Experiment.Class) -> SecretScalar<Group> {
        let random = random().revealed()
        return SecretScalar(kind == .fixed ? Scalar(2) : random)
    }

    // Zero does not occur here.

    private static func inverse(of secret: borrowing SecretScalar<Group>) -> SecretScalar<Group> {
        do { return try secret.inverted() } catch { preconditionFailure("\(error)") }
    }

    private static func read(_ bytes: borrowing SecretBytes) -> SecretScalar<Group> {
        do { return try SecretScalar(canonical: bytes) } catch { preconditionFailure("\(error)") }
    }

    private static func shared(_ secret: borrowing SecretScalar<Group>, _ point: Group.Point) -> SecretBytes {
        do { return try secret.sharedSecret(with: point) } catch { preconditionFailure("\(error)") }
    }
}

extension Experiment.Class {
    /// Returns zeros or random bytes. Random bytes are drawn for both classes, so that drawing leaves the same traces.
    func bytes(count: Int) -> SecretBytes {
        var bytes = SystemRandom().publicBytes(count: count)
        let mask: UInt8 = self == .fixed ? 0 : 0xff
        for position in bytes.indices { bytes[position] &= mask }
        return SecretBytes(moving: &bytes)
    }
}
