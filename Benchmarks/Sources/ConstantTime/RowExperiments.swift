import Secrets

@testable import Curves

/// Arithmetic on rows of secret scalars, and selection among them by secret bits.
enum RowExperiments {
    private static let count = 512
    private typealias Row = SecretScalars<Secp256k1>

    static var all: [Experiment] {
        let weights = (0..<count).map { _ in SecretScalar<Secp256k1>(from: SystemRandom()).revealed() }
        let fixedRow = Box(row(.random))
        return [
            Experiment(name: "row: reduced", repetitions: 1, measurements: 8_000) { kind in
                let bytes = Box(kind.bytes(count: 32 * count))
                return { use(Row(reducing: bytes.value)) }
            },
            Experiment(name: "row: weighted sum", repetitions: 1, measurements: 8_000) { kind in
                let row = Box(row(kind))
                return { use(row.value.sum(weights: weights)) }
            },
            Experiment(name: "row: terms added by secret bits", repetitions: 1, measurements: 8_000) { kind in
                let bits = Box(kind.bytes(count: count / 8))
                return { use(fixedRow.value.adding(weights, where: bits.value)) }
            },
            Experiment(name: "row: weights summed by secret bits", repetitions: 1, measurements: 8_000) { kind in
                let bits = Box(kind.bytes(count: count / 8))
                return { use(Scalar<Secp256k1>.sum(weights, where: bits.value)) }
            },
        ]
    }

    private static func row(_ kind: Experiment.Class) -> Row { Row(reducing: kind.bytes(count: 32 * count)) }
}
