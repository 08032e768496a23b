internal import Foundation
internal import Secrets

/// The system calls of a program at which a crash test kills it, or makes the call fail: all of them, or a sample.
///
/// The result of a crash is decided at the boundaries, the calls that flush, rename, link or remove. A sample contains
/// each of them with the call before and the call after it, and a quarter of the other calls. Where these are more than
/// half of all calls, it contains one boundary of each kind at each file instead, with one call before and one after
/// it, and a quarter of the rest.
///
/// - `FUEKI_CRASH=all` tries every call,
/// - `FUEKI_CRASH_SEED` takes the same sample again; the seed is printed.
public struct CrashPoints {
    /// The extent: how many calls are tried.
    public enum Extent: Equatable, Sendable {
        case all
        case sample(seed: UInt64)

        /// The extent that the environment selects; one sample for the whole process.
        public static let wanted: Extent = {
            let environment = ProcessInfo.processInfo.environment
            switch environment["FUEKI_CRASH"] {
            case "all": return .all
            case nil, "": break
            case .some(let text): preconditionFailure("FUEKI_CRASH is not “all”: \(text)")
            }
            switch environment["FUEKI_CRASH_SEED"] {
            case nil, "": return .sample(seed: .random(in: 0..<1_000_000))
            case .some(let text):
                guard let seed = UInt64(text) else { preconditionFailure("FUEKI_CRASH_SEED is no number: \(text)") }
                return .sample(seed: seed)
            }
        }()
    }

    private struct Call {
        let name: String
        /// The files and folders that the call names.
        let files: String
        let isBoundary: Bool
    }

    private static let boundaries: Set = [
        "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir",
    ]

    private let calls: [Call]
    private let extent: Extent

    /// Reads the calls of an undisturbed run, which made them all in one thread.
    ///
    /// - Parameter trace: the lines that strace wrote: `1234  fsync(5</folder/file>) = 0`.
    public init(trace: [String], extent: Extent = .wanted) {
        calls = trace.compactMap { line in
            let parts = line.split(separator: "(", maxSplits: 1)
            guard parts.count == 2, let name = parts[0].split(separator: " ").last.map(String.init) else { return nil }
            // A call that found no file changed nothing.
            let isBoundary = Self.boundaries.contains(name) && !line.contains(" = -1 ")
            return Call(name: name, files: isBoundary ? Self.files(in: parts[1]) : "", isBoundary: isBoundary)
        }
        self.extent = extent
    }

    /// Returns the quoted and bracketed paths in the arguments of a call.
    private static func files(in arguments: Substring) -> String {
        arguments.split(whereSeparator: { "\"<>".contains($0) }).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }.joined(separator: " ")
    }

    /// Chooses which of the calls of this name to try, and prints the choice.
    ///
    /// - Returns: their numbers, from 1, in order, for strace's `when=`. None if the program never makes this call.
    public func numbers(of name: String) -> [Int] {
        let positions = calls.indices.filter { calls[$0].name == name }
        guard case .sample(let seed) = extent else { return Array(1..<(positions.count + 1)) }
        let random = Self.generator(seed, (calls.map(\.name) + [name]).joined(separator: " "))
        let kinds = positions.map(kinds(at:))
        var chosen = Set(positions.indices.filter { !kinds[$0].isEmpty })
        if chosen.count * 2 > positions.count {
            var missing = kinds.reduce(into: Set()) { $0.formUnion($1) }
            chosen = []
            for index in Self.shuffled(Array(positions.indices), random) where !missing.isDisjoint(with: kinds[index]) {
                missing.subtract(kinds[index])
                chosen.insert(index)
            }
        }
        let rest = positions.indices.filter { !chosen.contains($0) }
        chosen.formUnion(Self.shuffled(rest, random).prefix((rest.count + 3) / 4))
        let numbers = chosen.sorted().map { $0 + 1 }
        print("crash points: \(name) \(numbers) of \(positions.count), FUEKI_CRASH_SEED=\(seed)")
        return numbers
    }

    /// Chooses a number of elements, where the order of a program's calls differs between runs, and prints the choice.
    public static func some<Element>(
        _ count: Int, of elements: [Element], in purpose: String, extent: Extent = .wanted
    ) -> [Element] {
        guard case .sample(let seed) = extent else { return elements }
        let chosen = shuffled(Array(elements.indices), generator(seed, purpose)).prefix(count).sorted()
        print("crash points: \(purpose) \(chosen.map { elements[$0] }), FUEKI_CRASH_SEED=\(seed)")
        return chosen.map { elements[$0] }
    }

    /// Returns other numbers for another purpose, whatever other tests run.
    private static func generator(_ seed: UInt64, _ purpose: String) -> SeededRandom {
        SeededRandom(seed: purpose.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }

    /// The kinds of boundary at a call: its own; otherwise those that it precedes and follows.
    private func kinds(at position: Int) -> Set<String> {
        guard !calls[position].isBoundary else { return ["\(calls[position].name) \(calls[position].files)"] }
        return Set(
            [("before", position + 1), ("after", position - 1)].compactMap { place, position in
                guard calls.indices.contains(position), calls[position].isBoundary else { return nil }
                return "\(place) \(calls[position].name) \(calls[position].files)"
            })
    }

    private static func shuffled(_ numbers: [Int], _ random: SeededRandom) -> [Int] {
        var numbers = numbers
        for index in numbers.indices.dropFirst() { numbers.swapAt(index, random.below(index + 1)) }
        return numbers
    }
}
