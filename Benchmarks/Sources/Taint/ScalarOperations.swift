import Secrets

@testable import Curves

/// Arithmetic modulo a group order, and products with points.
enum ScalarOperations<Group: Curve> {
    static func all(_ name: String) -> [Operation] {
        let point = SecretScalar<Group>(from: SystemRandom()).timesGenerator()
        let factor = SecretScalar<Group>(from: SystemRandom()).revealed()
        func operation(
            _ what: String, verdicts: UInt32 = 0, _ body: @escaping (borrowing SecretScalar<Group>) throws -> Void
        ) -> Operation {
            Operation("\(name): \(what)", verdicts: verdicts) {
                let scalar = SecretScalar<Group>(from: SystemRandom())
                Taint.mark(scalar)
                try body(scalar)
            }
        }
        return [
            Operation("\(name): drawn") { use(SecretScalar<Group>(from: SecretRandom())) },
            Operation("\(name): reduced") { use(SecretScalar<Group>(reducing: .tainted(64))) },
            operation("read and written") { use(try SecretScalar<Group>(canonical: $0.encoded())) },
            operation("sum and difference") {
                use($0 + factor)
                use($0 - factor)
                use($0.negated())
            },
            operation("product") { use($0 * $0) },
            // Zero has no inverse.
            operation("inverse", verdicts: 1) { use(try $0.inverted()) },
            operation("times the generator") { use($0.timesGenerator()) },
            operation("times a point") { use(try $0.sharedSecret(with: point)) },
        ]
    }
}

/// Rows of scalars.
enum RowOperations {
    private static let count = 512
    private typealias Row = SecretScalars<Secp256k1>

    static var all: [Operation] {
        let weights = (0..<count).map { _ in SecretScalar<Secp256k1>(from: SystemRandom()).revealed() }
        return [
            Operation("row: weighted sum") { use(Row(reducing: .tainted(32 * count)).sum(weights: weights)) },
            Operation("row: terms added by secret bits") {
                let row = Row(reducing: SecretBytes(count: 32 * count, from: SystemRandom()))
                use(row.adding(weights, where: .tainted(count / 8)))
                use(row.subtracting(weights[0], where: .tainted(count / 8)))
            },
            Operation("row: weights summed by secret bits") {
                use(Scalar<Secp256k1>.sum(weights, where: .tainted(count / 8)))
            },
        ]
    }
}
