/// ``CompatibilityTable`` in a form for look-ups.
struct CompatibilityMappings: Sendable {
    static let shared = CompatibilityMappings()

    private struct Run: Sendable {
        let characters: Range<UInt32>
        /// The parts of the decomposition, where the last one counts up within the run; or the class as the only
        /// part.
        let parts: [UInt32]
    }

    private let decompositions: [Run]
    private let classes: [Run]

    private init() {
        decompositions = Self.parse(CompatibilityTable.decompositions)
        classes = Self.parse(CompatibilityTable.combiningClasses)
    }

    /// Calls `take` with each part of the character's full decomposition. - Returns: whether it has one.
    func decompose(_ character: UInt32, _ take: (UInt32) -> Void) -> Bool {
        guard let run = Self.run(of: character, in: decompositions), let last = run.parts.last else { return false }
        for part in run.parts.dropLast() { take(part) }
        take(last + (character - run.characters.lowerBound))
        return true
    }

    /// Returns the canonical combining class; 0 for a character that is not a mark.
    func combiningClass(of character: UInt32) -> UInt32 {
        // The first of all marks: smaller code points need no look-up.
        guard character >= 0x300 else { return 0 }
        return Self.run(of: character, in: classes)?.parts.first ?? 0
    }

    private static func run(of character: UInt32, in runs: [Run]) -> Run? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].characters.upperBound <= character { low = middle + 1 } else { high = middle }
        }
        guard low < runs.count, runs[low].characters.contains(character) else { return nil }
        return runs[low]
    }

    private static func parse(_ text: String) -> [Run] {
        text.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }).map { entry in
            let halves = entry.split(separator: UInt8(ascii: ":"))
            let head = halves[0].split(separator: UInt8(ascii: "+")).map(number)
            return Run(
                characters: head[0]..<head[0] + (head.count > 1 ? head[1] : 1),
                parts: halves[1].split(separator: UInt8(ascii: ".")).map(number))
        }
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt32 {
        guard let number = UInt32(Substring(digits), radix: 16) else { preconditionFailure("the table is our own") }
        return number
    }
}
