import Secrets

/// An operation on a secret, which is measured with one that is always the same and with others that are random.
///
/// - Parameters:
///   - repetitions: how often it runs for one measurement, so that the clock's grain does not matter.
///   - measurements: how many of them make an attempt.
///   - prepare: makes what is measured, of a secret of one class.
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
            let operations = prepared()
            let coins = SystemRandom().publicBytes(count: Self.batch)
            for coin in coins {
                let isFixed = coin & 1 == 0
                // Several secrets of the class, and not one several times: a branch predictor would learn it.
                let chosen = isFixed ? operations.fixed : operations.random
                let places = SystemRandom().publicBytes(count: repetitions).map { Int($0) % chosen.count }
                let start = Clock.nanoseconds()
                for place in places { chosen[place]() }
                let elapsed = Clock.nanoseconds() - start
                if round > 0 {
                    results.append(
                        Measurement(nanoseconds: Double(elapsed) / Double(repetitions), isFixed: isFixed))
                }
            }
        }
        return results
    }

    private static let batch = 64

    /// Operations on secrets of both classes, in an order that leaves to chance how they lie in memory.
    private func prepared() -> (fixed: [() -> Void], random: [() -> Void]) {
        var operations: (fixed: [() -> Void], random: [() -> Void]) = ([prepare(.fixed)], [prepare(.random)])
        for coin in SystemRandom().publicBytes(count: Self.batch / 2) {
            if coin & 1 == 0 {
                operations.fixed.append(prepare(.fixed))
            } else {
                operations.random.append(prepare(.random))
            }
        }
        return operations
    }
}

/// Keeps the optimiser from leaving out what is measured.
@inline(never)
func use<Value: ~Copyable>(_ value: consuming Value) {}

/// Something that cannot be copied, for a closure that runs many times.
final class Box<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
}
