import Secrets

/// Controls of the measurement: it has to find code whose time depends on a secret, and must not accuse code whose time
/// does not.
enum Controls {
    /// The experiments that must be found.
    static var leaking: [Experiment] {
        let reference = SystemRandom().publicBytes(count: 32)
        return [
            Experiment(name: "control: a comparison that ends early", repetitions: 64, measurements: 10_000) { kind in
                let bytes = kind == .fixed ? Array(reference) : SystemRandom().publicBytes(count: 32)
                return { use(endsEarly(bytes, reference)) }
            },
            Experiment(name: "control: a reduction by a branch", repetitions: 64, measurements: 10_000) { kind in
                let words = kind == .fixed ? [1, 0, 0, 0] : randomWords()
                let term = randomWords()
                return { use(addedWithBranch(words, term)) }
            },
        ]
    }

    /// The experiment that must not be found: both classes are the same.
    static var same: Experiment {
        let reference = SystemRandom().publicBytes(count: 32)
        return Experiment(name: "control: the same for both classes", repetitions: 64, measurements: 10_000) { _ in
            let bytes = SystemRandom().publicBytes(count: 32)
            return { use(constantTimeEquals(bytes, reference)) }
        }
    }

    @inline(never)
    private static func endsEarly(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        for position in left.indices where left[position] != right[position] { return false }
        return true
    }

    /// Subtracts conditionally, for example modulo 2²⁵⁶ - 2²⁵⁵. The subtrahend does not matter; that it is not always
    /// subtracted does.
    @inline(never)
    private static func addedWithBranch(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var sum = left
        let overflows = add(right, to: &sum)
        if overflows { _ = add([1, 0, 0, 1 << 63], to: &sum) }
        return sum
    }

    @inline(never)
    private static func add(_ term: [UInt64], to sum: inout [UInt64]) -> Bool {
        var carry: UInt64 = 0
        for position in sum.indices {
            let (first, one) = sum[position].addingReportingOverflow(term[position])
            let (second, two) = first.addingReportingOverflow(carry)
            sum[position] = second
            carry = one || two ? 1 : 0
        }
        return carry == 1
    }

    private static func randomWords() -> [UInt64] {
        let bytes = SystemRandom().publicBytes(count: 32)
        return (0..<4).map { word in bytes[(8 * word)..<(8 * word + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
