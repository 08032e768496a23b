internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program beside a test, which kills it or waits for its end. It is killed with this value.
public final class RunningProgram {
    private let files: TemporaryFolder
    private let name: String
    private let process: Child

    /// Starts `program` (an absolute path).
    init(_ program: String, _ arguments: [String], environment: [String: String], in folder: String) throws {
        files = try TemporaryFolder()
        name = program
        try files.write("", to: "input")
        let input = try Descriptor(reading: "\(files.path)/input")
        let output = try Descriptor(writing: "\(files.path)/output")
        let errors = try Descriptor(writing: "\(files.path)/errors")
        process = try Child(
            program, arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { _, ours in ours },
            in: folder, descriptors: [input.number, output.number, errors.number])
    }

    /// Whether it ends within this time.
    public func ends(withinMilliseconds milliseconds: Int) -> Bool { process.wait(milliseconds: milliseconds) != nil }

    /// Ends it like a power failure.
    public func kill() throws {
        process.signal(SIGKILL)
        _ = try outcome()
    }

    /// Waits for its end.
    public func outcome(seconds: Int = Patience.seconds) throws -> Program.Outcome {
        guard let status = process.wait(milliseconds: seconds * 1_000) else {
            throw Program.Failure.doesNotEnd(program: name, seconds: seconds)
        }
        return Program.Outcome(status: status, output: try files.read("output"), errors: try files.read("errors"))
    }
}
