internal import Foundation
import TestSupport
import Testing

/// The examples in the help are what people type: each fits into a terminal of 80 columns, and each is valid.
@Suite("The examples of the help")
struct HelpExampleTests {
    private struct Help: Decodable { let command: Command }
    private struct Command: Decodable {
        let commandName: String
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?
    }
    private struct Argument: Decodable {
        let shouldDisplay: Bool
    }
    private struct Refusal: Decodable {
        struct Body: Decodable { let code: String }
        let error: Body
    }

    /// Lines of help that begin with two blanks, with the command's name before each.
    private static func lines(_ command: Command) -> [(command: String, line: String)] {
        let own = command.discussion?.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  ") } ?? []
        return own.map { (command.commandName, $0) } + (command.subcommands ?? []).flatMap(lines)
    }

    private func root() throws -> Command {
        let dumped = try FuekiCommand().run("--experimental-dump-help")
        return try JSONDecoder().decode(Help.self, from: Data(dumped.output.utf8)).command
    }

    private func lines() throws -> [(command: String, line: String)] { Self.lines(try root()) }

    private static func leaves(_ command: Command) -> [Command] {
        guard let subcommands = command.subcommands, !subcommands.isEmpty else { return [command] }
        return subcommands.flatMap(leaves)
    }

    @Test("a command's help says that there are hidden options if there are")
    func hidden() throws {
        let commands = Self.leaves(try root()).filter { $0.commandName != "help" }
        func hides(_ command: Command) -> Bool { command.arguments?.contains { !$0.shouldDisplay } == true }
        #expect(commands.count(where: hides) >= 8)
        for command in commands {
            let isSaid = command.discussion?.contains("--help-hidden") == true
            #expect(isSaid == hides(command), "\(command.commandName): \(command.discussion ?? "")")
        }
    }

    @Test("no example is longer than a line")
    func width() throws {
        let lines = try lines()
        #expect(lines.count > 40)
        for (command, line) in lines { #expect(line.count <= 80, "\(command): \(line)") }
    }

    @Test("each example is a valid command line")
    func usage() throws {
        let scripts = "\(Repository.path)/Tests/CommandTests/Scripts"
        let folder = try TemporaryFolder()
        let path = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
        let whole = try lines().map(\.line).joined(separator: "\n").replacingOccurrences(of: " \\\n", with: " ")
        let examples = whole.split(separator: "\n").filter { $0.hasPrefix("  fueki ") }
        #expect(examples.count > 40)
        for example in examples {
            // The output file is not JSON.
            let isRaw = example.contains(">")
            let ended = try Program.run(
                "/bin/sh", ["-c", "without-terminal \(example)\(isRaw ? "" : " --json")"],
                environment: [
                    "PATH": "\(FuekiCommand.binaries):\(scripts):\(path)", "FUEKI_HOME": "\(folder.path)/home",
                ], in: folder.path)
            guard ended.status != 0, !isRaw else {
                #expect(ended.status != 64, "\(example): \(ended.errors)")
                continue
            }
            let errors = ended.errors.replacingOccurrences(of: "warning: .*\n", with: "", options: .regularExpression)
            let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(errors.utf8))
            #expect(refusal != nil && refusal?.error.code != "usage", "\(example): \(ended.errors)")
        }
    }
}
