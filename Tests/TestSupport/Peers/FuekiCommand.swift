internal import Foundation

/// The built command `fueki`, with a home of its own.
public struct FuekiCommand: ~Copyable {
    /// The folder that contains the home in `home`; a test may put its files here.
    public let folder: TemporaryFolder

    public init() throws {
        folder = try TemporaryFolder()
    }

    /// The folder of the built command: that of the test program. `FUEKI_BINARIES` names another one.
    public static let binaries: String = {
        if let named = ProcessInfo.processInfo.environment["FUEKI_BINARIES"] { return named }
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
        let program = bundles.first?.bundleURL ?? Bundle.main.executableURL
        return program?.deletingLastPathComponent().path ?? "\(Repository.path)/.build/debug"
    }()

    /// Runs `fueki` with the arguments, in ``folder``, and waits for its end.
    public borrowing func run(_ arguments: String..., input: String = "") throws -> Program.Outcome {
        try run(arguments, input: input)
    }

    /// Runs `fueki` with the arguments, in ``folder``, and waits for its end.
    public borrowing func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
        try Program.run(
            "\(Self.binaries)/fueki", arguments, environment: ["FUEKI_HOME": home], in: folder.path, input: input)
    }

    /// Starts `fueki` with the arguments, in ``folder``, beside the test.
    public borrowing func start(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram(
            "\(Self.binaries)/fueki", arguments, environment: ["FUEKI_HOME": home], in: folder.path)
    }

    /// Runs `fueki --json` with the arguments and reads its output.
    ///
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with its message if it fails.
    public borrowing func json<Answer: Decodable>(
        _ arguments: String..., input: String = "", as type: Answer.Type = Answer.self
    ) throws -> Answer {
        try json(arguments, input: input)
    }

    /// Runs `fueki --json` with the arguments and reads its output.
    ///
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with its message if it fails.
    public borrowing func json<Answer: Decodable>(
        _ arguments: [String], input: String = "", as type: Answer.Type = Answer.self
    ) throws -> Answer {
        let outcome = try run(arguments + ["--json"], input: input)
        guard outcome.isSuccess else {
            throw Program.Failure.failed(
                program: "fueki \(arguments.joined(separator: " "))", status: outcome.status, errors: outcome.errors)
        }
        return try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    }

    /// Runs `fueki` on a terminal of its own, and types each answer when its question is on the screen.
    public borrowing func converse(
        _ arguments: [String], answers: [(question: String, answer: String)], copied: String? = nil
    ) throws -> Terminal.Session {
        try Terminal.run(
            ["\(Self.binaries)/fueki"] + arguments, environment: ["FUEKI_HOME": home], in: folder.path,
            answers: answers, copied: copied)
    }

    private var home: String { "\(folder.path)/home" }
}
