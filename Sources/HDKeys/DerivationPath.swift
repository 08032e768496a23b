/// The steps from one extended key to another (BIP-32): at most 32, each an index below 2³¹ that may be hardened.
public struct DerivationPath: Hashable, Sendable {
    /// One step.
    public struct Step: Hashable, Sendable {
        /// The index, 0..<2³¹.
        public let index: UInt32
        /// Whether the step needs the private key.
        public let isHardened: Bool

        /// Creates a step.
        ///
        /// - Throws: ``HDKeyError/badPath`` from 2³¹ on.
        public init(index: UInt32, isHardened: Bool) throws(HDKeyError) {
            guard index < Self.hardened else { throw .badPath }
            self.index = index
            self.isHardened = isHardened
        }

        package init(number: UInt32) {
            index = number & ~Self.hardened
            isHardened = number >= Self.hardened
        }

        static let hardened: UInt32 = 1 << 31

        /// The index, with the highest bit set if it is hardened.
        public var number: UInt32 { isHardened ? index | Self.hardened : index }
    }

    /// The steps, from the first to the last.
    public let steps: [Step]

    /// The maximum number of steps. BIP-32 keeps the depth in one byte; paths in use have five or six steps.
    public static let maximumSteps = 32

    /// Creates a path of these steps.
    ///
    /// - Throws: ``HDKeyError/badPath`` if there are more than 32 steps.
    public init(_ steps: [Step]) throws(HDKeyError) {
        guard steps.count <= Self.maximumSteps else { throw .badPath }
        self.steps = steps
    }

    /// Creates a standard path, which is never too long.
    init(few steps: [Step]) {
        precondition(steps.count <= Self.maximumSteps, "no standard has paths of \(steps.count) steps")
        self.steps = steps
    }

    /// Reads `m/86'/0'/0'/1/5` or `m/86h/0h/0h/1/5`. No spaces, signs or leading zeros.
    ///
    /// - Throws: ``HDKeyError/badPath``.
    public init(_ text: String) throws(HDKeyError) {
        let parts = text.utf8.prefix(12 * Self.maximumSteps + 2)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let root = parts.first, root.elementsEqual("m".utf8), text.utf8.count <= 12 * Self.maximumSteps + 1
        else { throw .badPath }
        var steps: [Step] = []
        for part in parts.dropFirst() { steps.append(try Self.step(part)) }
        try self.init(steps)
    }

    private static func step(_ text: Substring.UTF8View) throws(HDKeyError) -> Step {
        let isHardened = text.last == UInt8(ascii: "'") || text.last == UInt8(ascii: "h")
        let digits = isHardened ? text.dropLast() : text
        guard (1...10).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            throw .badPath
        }
        var index: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw .badPath }
            index = index * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        guard let index = UInt32(exactly: index) else { throw .badPath }
        return try Step(index: index, isHardened: isHardened)
    }
}

extension DerivationPath: CustomStringConvertible {
    /// The path as text: `m/86'/0'/0'/1/5`.
    public var description: String {
        steps.reduce(into: "m") { $0 += "/\($1.index)" + ($1.isHardened ? "'" : "") }
    }
}
