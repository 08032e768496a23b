import Secrets

/// An operation on a secret, which is measured with one that is always the same and with others that are random.
///
/// - Parameters:
///   - repetitions: how often it runs for one measurement, so that the clock's grain does not matter.
///   - measurements: how many of them make an attempt.
///   - prepare: makes what is measured, of a secret of one class. It does the same for both, but for the value.
struct Experiment {
    enum Class { case fixed, random }

    let name: String
    let repetitions: Int
    let measurements: Int
    let prepare: (Class) -> () -> Void

    /// Of so many attempts, each with fresh secrets, one that finds nothing acquits: noise of the machine does not repeat itself,
    /// and a leak does.
    static let attempts = 4
    /// The paper's bounds are 4.5 for "maybe" and 10 for "certainly". Four times in a row, 5 is beyond chance.
    static let bound = 5.0

    /// The attempts until the first that is below the bound.
    func run() -> [Comparison] {
        var attempts: [Comparison] = []
        for _ in 0..<Self.attempts {
            attempts.append(Comparison(measure()))
            if !Self.differ(attempts) { break }
        }
        return attempts
    }

    static func differ(_ attempts: [Comparison]) -> Bool { attempts.allSatisfy { abs($0.deviation) >= bound } }

    private func measure() -> [Measurement] {
        var results: [Measurement] = []
        results.reserveCapacity(measurements + Self.batch)
        // The first batch is not counted: caches and branch predictors learn the code in it.
        for round in 0...(measurements / Self.batch) {
            // How the secrets of the two classes lie in memory is left to chance.
            let kinds = Array(repeating: [Class.fixed, .random], count: Self.pool).flatMap(\.self).shuffled()
            let operations = kinds.map(prepare)
            let places = Dictionary(grouping: kinds.indices) { kinds[$0] }
            for coin in SystemRandom().publicBytes(count: Self.batch) {
                let kind: Class = coin & 1 == 0 ? .fixed : .random
                guard let own = places[kind] else { preconditionFailure("no secrets of a class") }
                // Several secrets of the class, and not one several times: a branch predictor would learn it.
                let chosen = SystemRandom().publicBytes(count: repetitions).map { own[Int($0) % Self.pool] }
                let start = Clock.nanoseconds()
                for place in chosen { operations[place]() }
                let elapsed = Clock.nanoseconds() - start
                if round > 0 {
                    results.append(
                        Measurement(nanoseconds: Double(elapsed) / Double(repetitions), isFixed: kind == .fixed))
                }
            }
        }
        return results
    }

    /// Measurements of a batch, and secrets of each class for it.
    private static let batch = 64
    private static let pool = 16
}

/// Keeps the optimiser from leaving out what is measured.
@inline(never)
func use<Value: ~Copyable>(_ value: consuming Value) {}

/// Something that cannot be copied, for a closure that runs many times.
final class Box<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
}
