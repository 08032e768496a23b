internal import Curves
internal import Encoding

/// Random decisions that depend on 32 bytes only: the same bytes give the same plan, on every platform and with every
/// compiler, so that a plan can be made again and compared.
struct SeededOrder {
    private let seed: [UInt8]
    private var counter: UInt64 = 0

    /// - Parameters:
    ///   - seed: 32 unpredictable bytes: the order of inputs and outputs must not reveal which one is change.
    ///   - purpose: makes decisions for different things independent.
    init(seed: [UInt8], purpose: String) {
        precondition(seed.count == 32, "a seed has 32 bytes")
        self.seed = BIP340.taggedHash("Fueki/bitcoin/order", seed, Array(purpose.utf8))
    }

    private mutating func next() -> UInt64 {
        var writer = ByteWriter()
        writer.append(seed)
        writer.littleEndian(counter)
        counter += 1
        return SHA256.hash(writer.bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns a uniform number in `0..<bound`.
    mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "there is something to choose from")
        let bound = UInt64(bound)
        // Numbers above the last multiple of the bound would make small remainders more likely.
        let accepted = UInt64.max - UInt64.max % bound
        while true {
            let number = next()
            if number < accepted { return Int(number % bound) }
        }
    }

    /// Returns the elements in random order (Fisher and Yates).
    mutating func permuted<Element>(_ elements: [Element]) -> [Element] {
        var permuted = elements
        for last in stride(from: permuted.count - 1, to: 0, by: -1) {
            permuted.swapAt(last, below(last + 1))
        }
        return permuted
    }
}
