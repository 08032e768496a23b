internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program that runs beside the tests, and that can be signalled by its process id. It ends with this value, and with
/// this process.
///
/// See `scripts/peers/on-a-leash`, which starts it.
public final class Companion: @unchecked Sendable {
    // `@unchecked`: no property changes after `init`.

    private let program: Leashed
    /// The process id of the program.
    public let process: Int32

    /// The reason why it does not run, or does not do what was expected.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts `program` (an absolute path).
    ///
    /// - Parameter environment: added to this process's own environment.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let variables = environment.map { "\($0.key)=\($0.value)" }
        self.program = try Leashed("\(Repository.path)/scripts/peers/on-a-leash") { folder in
            [folder, "/usr/bin/env"] + variables + [program] + arguments
        }
        guard let process = Int32(try self.program.greeting().dropFirst("ready ".count)) else {
            throw Failure(description: "\(program) has no process id")
        }
        self.process = process
    }

    /// Its standard output so far.
    public var output: String { (try? program.folder.read("output")) ?? "" }

    /// Its standard error so far.
    public var errors: String { (try? program.folder.read("errors")) ?? "" }

    /// The exit status, or 128 and the signal's number; nil while it runs.
    public var status: Int32? {
        (try? program.folder.read("status")).flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Sends it a signal, if it has not ended.
    public func signal(_ number: Int32) {
        if status == nil { kill(process, number) }
    }

    /// Waits until it has written a whole line with `text` to standard output, and returns that line.
    public func line(with text: String) async throws -> String {
        var line: Substring?
        try await Patience.wait(for: "“\(text)”, of process \(process)") {
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            line = lines.first { $0.contains(text) }
            if line == nil, let status { throw Failure(description: "it ended with \(status): \(errors)") }
            return line != nil
        }
        return line.map(String.init) ?? ""
    }

    /// Waits for its end.
    ///
    /// - Returns: ``status``.
    @discardableResult
    public func end() async throws -> Int32 {
        var ended: Int32?
        try await Patience.wait(for: "the end of process \(process)") {
            ended = status
            return ended != nil
        }
        return ended ?? -1
    }
}
