import Secrets

/// An operation on a secret, measured with one secret that is always the same and with others that are random.
///
/// - Parameters:
///   - repetitions: how often it runs in one measurement, so that the clock's resolution does not matter.
///   - measurements: the number of measurements in one attempt.
///   - prepare: prepares the measured operation for a secret of one class. It does the same for both classes, except
///     for the value.
struct Experiment {
    enum Class { case fixed, random }

    let name: String
    let repetitions: Int
    let measurements: Int
    let prepare: (Class) -> () -> Void

    /// The number of attempts, each with fresh secrets. One attempt without a finding acquits: the noise of the machine
    /// does not repeat itself, but a leak does.
    static let attempts = 4
    /// The bound. The paper has 4.5 for "maybe" and 10 for "certainly"; four results of 5 in a row are beyond chance.
    static let bound = 5.0

    /// Runs attempts until one is below the bound, and returns all.
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
        // The first batch is discarded: during it caches and branch predictors learn the code.
        for round in 0...(measurements / Self.batch) {
            // The order of the two classes' secrets in memory is random.
            let kinds = Array(repeating: [Class.fixed, .random], count: Self.pool).flatMap(\.self).shuffled()
            let operations = kinds.map(prepare)
            let places = Dictionary(grouping: kinds.indices) { kinds[$0] }
            for coin in SystemRandom().publicBytes(count: Self.batch) {
                let kind: Class = coin & 1 == 0 ? .fixed : .random
                guard let own = places[kind] else { preconditionFailure("no secrets of a class") }
                // Several secrets of the class are used, and not one repeatedly: a branch predictor would learn it.
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

    /// The number of measurements in a batch, and of secrets of each class for it.
    private static let batch = 64
    private static let pool = 16
}

/// Prevents the optimiser from removing the measured operation.
@inline(never)
func use<Value: ~Copyable>(_ value: consuming Value) {}

/// A box for a noncopyable value, for a closure that runs many times.
final class Box<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
}
