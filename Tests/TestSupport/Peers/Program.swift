internal import Foundation

/// Runs a program to its end.
public enum Program {
    /// The result of a program.
    public struct Outcome: Sendable {
        /// The exit status; the signal's negated number, if a signal ended it.
        public let status: Int32
        /// Its whole standard output.
        public let output: String
        /// Its whole standard error.
        public let errors: String

        public var isSuccess: Bool { status == 0 }
    }

    /// The reason why a program does not run as a test needs it.
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
    ///   - environment: added to this process's own environment; an empty text removes a variable.
    ///   - input: its standard input.
    ///   - output: the file for its standard output, where that has to be known; it stays there.
    ///   - seconds: the time limit, after which it is stopped.
    /// - Throws: ``Failure/doesNotEnd(program:seconds:)``, or the system's error if it cannot be started.
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], in folder: String? = nil,
        input: String = "", output: String? = nil, seconds: Int = Patience.seconds
    ) throws -> Outcome {
        // Files and not pipes: a program with much output never has to wait for a reader.
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

    /// Does the same as ``run(_:_:environment:in:input:output:seconds:)``, and returns the standard output of a
    /// successful program.
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
