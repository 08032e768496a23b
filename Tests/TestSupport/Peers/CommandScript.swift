internal import Foundation

/// A terminal session with what is expected of it. A file of `Scripts/` is one:
///
///     # A line that starts with # says something to the reader.
///     $ fueki wallet list
///     no wallets yet
///
///     $ fueki wallet show nobody
///     ! there is no wallet [..]
///     exit 1
///
/// `$` starts a command, which `sh` runs in an empty folder of the script's own; the built `fueki` and `fuekid` are on its
/// path, and so is what lies beside the scripts. The lines that follow are its standard output; those with `! ` its standard
/// error. `exit N` is its status, 0 where there is none. `[..]` stands for any text in a line, and a line `[...]` for any
/// lines. Empty lines at the end of an output do not count.
public struct CommandScript {
    /// A command with its expected result.
    public struct Step: Equatable {
        let line: Int
        let command: String
        var output: [String] = []
        var errors: [String] = []
        var status: Int32 = 0
    }

    /// A step whose result differs from the script.
    public struct Mismatch: CustomStringConvertible {
        let step: Step
        let outcome: Program.Outcome
        public var description: String {
            """
            line \(step.line): $ \(step.command)
            expected exit \(step.status) and
            \((step.output + step.errors.map { "! \($0)" }).joined(separator: "\n"))
            got exit \(outcome.status) and
            \(outcome.output)! \(outcome.errors)
            """
        }
    }

    /// A line outside of any command.
    public struct Malformed: Error, Equatable {
        let line: Int

        public init(line: Int) { self.line = line }
    }

    /// The steps, in the order of the file.
    public let steps: [Step]

    /// Reads a script.
    ///
    /// - Throws: ``Malformed``.
    public init(parsing text: String) throws(Malformed) {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated()
        {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("$ ") {
                steps.append(Step(line: index + 1, command: String(line.dropFirst(2))))
                continue
            }
            guard var step = steps.popLast() else {
                if line.isEmpty { continue }
                throw Malformed(line: index + 1)
            }
            if line.hasPrefix("exit "), let status = Int32(line.dropFirst(5)) {
                step.status = status
            } else if line == "!" || line.hasPrefix("! ") {
                step.errors.append(String(line.dropFirst(2)))
            } else {
                step.output.append(line)
            }
            steps.append(step)
        }
        self.steps = steps
    }

    /// Reads the script of that name, a file in `folder`.
    public init(named name: String, in folder: String) throws {
        try self.init(parsing: String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }

    /// Returns the names of the scripts in a folder.
    public static func names(in folder: String) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (files ?? []).filter { $0.hasSuffix(".script") }.sorted()
    }

    /// Runs the steps in order, each even if an earlier one failed.
    ///
    /// - Parameter scripts: the folder of additional programs for the scripts.
    public func run(besides scripts: String = "/usr/bin") throws -> [Mismatch] {
        let folder = try TemporaryFolder()
        let path = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
        let environment = [
            "PATH": "\(FuekiCommand.binaries):\(scripts):\(path)", "FUEKI_HOME": "\(folder.path)/home",
            "FUEKID_HOME": "\(folder.path)/home",
        ]
        var mismatches: [Mismatch] = []
        for step in steps {
            let outcome = try Program.run(
                "/bin/sh", ["-c", step.command], environment: environment, in: folder.path)
            let isExpected =
                outcome.status == step.status && Self.matches(outcome.output, step.output)
                && Self.matches(outcome.errors, step.errors)
            if !isExpected { mismatches.append(Mismatch(step: step, outcome: outcome)) }
        }
        return mismatches
    }

    /// Returns whether an output matches the script.
    public static func matches(_ text: String, _ pattern: [String]) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return matches(trimmed(lines)[...], trimmed(pattern)[...])
    }

    private static func matches(_ lines: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
        guard let expected = pattern.first else { return lines.isEmpty }
        if expected == "[...]" {
            return (0...lines.count).contains { matches(lines.dropFirst($0), pattern.dropFirst()) }
        }
        guard let line = lines.first, matches(line: line, expected) else { return false }
        return matches(lines.dropFirst(), pattern.dropFirst())
    }

    private static func matches(line: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "[..]")
        guard parts.count > 1 else { return line == pattern }
        guard let first = parts.first, let last = parts.last, line.hasPrefix(first) else { return false }
        var rest = line.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static func trimmed(_ lines: [String]) -> [String] {
        let kept = lines.reversed().drop { $0.isEmpty }
        return kept.reversed()
    }
}
