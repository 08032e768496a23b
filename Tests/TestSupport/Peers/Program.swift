internal import Foundation

/// Runs a program to its end.
public enum Program {
    /// What a program left behind.
    public struct Outcome: Sendable {
        /// The exit status; the signal's number, negated, if a signal ended it.
        public let status: Int32
        /// All that it wrote to standard output.
        public let output: String
        /// All that it wrote to standard error.
        public let errors: String

        public var isSuccess: Bool { status == 0 }
    }

    /// What keeps a program from running as a test needs it.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case doesNotEnd(program: String, seconds: Int)
        case failed(program: String, status: Int32, errors: String)

        public var description: String {
            switch self {
            case .doesNotEnd(let program, let seconds): "\(program) did not end in \(seconds) s and was stopped"
            case .failed(let program, let status, let errors): "\(program) ended with \(status): \(errors)"
            }
        }
    }

    /// Runs `program` (an absolute path) and waits for its end.
    ///
    /// - Parameters:
    ///   - environment: added to this process's own environment; an empty text takes a variable away.
    ///   - input: what it reads from standard input.
    ///   - output: the file that its standard output goes to, where that has to be known; it stays there.
    ///   - seconds: longer than that and it is stopped.
    /// - Throws: ``Failure/doesNotEnd(program:seconds:)``, or the system's error if it cannot be started.
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], in folder: String? = nil,
        input: String = "", output: String? = nil, seconds: Int = Patience.seconds
    ) throws -> Outcome {
        // Files and not pipes: a program that writes a lot never has to wait for us to read.
        let files = try TemporaryFolder()
        try files.write(input, to: "input")

        let own = ProcessInfo.processInfo.environment.merging(environment) { _, ours in ours }
        let standardInput = try Descriptor(reading: "\(files.path)/input")
        let output = output ?? "\(files.path)/output"
        let standardOutput = try Descriptor(writing: output)
        let standardError = try Descriptor(writing: "\(files.path)/errors")
        let child = try Child(
            program, arguments, environment: own.filter { !$0.value.isEmpty }, in: folder,
            descriptors: [standardInput.number, standardOutput.number, standardError.number])
        guard let status = child.wait(milliseconds: seconds * 1_000) else {
            throw Failure.doesNotEnd(program: program, seconds: seconds)
        }
        return Outcome(
            status: status, output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try files.read("errors"))
    }

    /// As ``run(_:_:environment:in:input:output:seconds:)``, and the standard output of a program that succeeded.
    ///
    /// - Throws: ``Failure/failed(program:status:errors:)`` too.
    public static func output(_ program: String, _ arguments: [String] = [], input: String = "") throws -> String {
        let outcome = try run(program, arguments, input: input)
        guard outcome.isSuccess else {
            throw Failure.failed(program: program, status: outcome.status, errors: outcome.errors + outcome.output)
        }
        return outcome.output
    }
}
