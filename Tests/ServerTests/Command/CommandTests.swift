internal import AuthServer
internal import AuthSettings
internal import Encoding
internal import Foundation
internal import ServerHTTP
internal import TestSupport
internal import Testing

/// The operator's command line. None of these tests needs a running server.
@Suite("The command fuekid")
struct CommandTests {
    static let folder = "\(Repository.path)/Tests/ServerTests/Scripts"
    static let names = CommandScript.names(in: folder)
    private static let fuekid = "\(FuekiCommand.binaries)/fuekid"
    private static let environment = ["FUEKI": "/nowhere/fueki", "FUEKID": fuekid]

    @Test("every session matches its script", arguments: names)
    func session(name: String) throws {
        for mismatch in try CommandScript(named: name, in: Self.folder).run(besides: Self.folder) {
            Issue.record("\(name), \(mismatch)")
        }
    }

    @Test("the scripts exist")
    func scriptsAreFound() { #expect(Self.names.count > 3) }

    @Test("the command and the server it runs have one version")
    func version() throws {
        let outcome = try Program.run(Self.fuekid, ["--version"])
        #expect(outcome.output == "\(ServerVersion.text)\n")
    }

    @Test("the manual page matches the command's help")
    func manual() throws {
        let outcome = try Program.run(
            "\(Repository.path)/scripts/manual", ["--check", "fuekid"], environment: Self.environment)
        #expect(outcome.isSuccess, "\(outcome.errors)")
    }

    @Test("an outdated manual page is detected")
    func staleManual() throws {
        let folder = try TemporaryFolder()
        let page = try String(contentsOfFile: "\(Repository.path)/docs/man/fuekid.8", encoding: .utf8)
        try folder.write(page.replacing("FUEKID_LISTEN", with: "FUEKID_LISTENS"), to: "fuekid.8")
        let outcome = try Program.run(
            "\(Repository.path)/scripts/manual", ["--check", "fuekid", "\(folder.path)/fuekid.8"],
            environment: Self.environment)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("run scripts/manual fuekid"))
    }

    @Test("the manual page names every variable that is read, and no others")
    func variables() throws {
        let page = try String(contentsOfFile: "\(Repository.path)/docs/man/fuekid.8", encoding: .utf8)
        let named = Set(page.matches(of: /FUEKID_[A-Z0-9_]*[A-Z0-9]/).map { String($0.output) })
        #expect(named == Set(ServerSetting.all.map(\.variable)).union(ConfigurationSource.notSettings))
    }

    @Test("the server accepts the example settings in the operator's guide")
    func exampleSettings() throws {
        let text = try String(contentsOfFile: "\(Repository.path)/docs/guides/operator.md", encoding: .utf8)
        let section = text.components(separatedBy: "## Settings").last?.components(separatedBy: "\n## ").first ?? ""
        let example = try #require(
            section.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
        let configuration = try ServerConfiguration(ConfigurationSource(file: Array(example.utf8), environment: [:]))
        #expect("\(configuration.publicURL)" == "https://auth.example.org")
    }

    @Test("the operator's guide has every setting, and no others")
    func settings() throws {
        let text = try String(contentsOfFile: "\(Repository.path)/docs/guides/operator.md", encoding: .utf8)
        let section = text.components(separatedBy: "## Settings").last?.components(separatedBy: "\n## ").first ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 10)
        var named: [String] = []
        for row in rows {
            let cell = row.split(separator: "|").first ?? ""
            var group = ""
            for match in cell.matches(of: /`([a-z0-9_.]+)`/) {
                // `.name` belongs to the group of the one before.
                let name = match.output.1.hasPrefix(".") ? group + match.output.1 : String(match.output.1)
                group = name.split(separator: ".").first.map(String.init) ?? ""
                named.append(name)
            }
        }
        #expect(named.sorted() == ServerSetting.all.map(\.name).sorted())
    }

    @Test("no example of the help is longer than a line, and each is a valid command line")
    func examples() throws {
        let dumped = try Program.output(Self.fuekid, ["--experimental-dump-help"])
        let root = try #require(try JSON(decoding: Array(dumped.utf8), limit: 1 << 20)["command"])
        func discussions(_ command: JSON) -> [String?] {
            [command["discussion"]?.string] + (command["subcommands"]?.array ?? []).flatMap(discussions)
        }
        let lines = discussions(root).compactMap { $0 }.flatMap { $0.split(separator: "\n") }
        let examples = lines.filter { $0.hasPrefix("  ") }
        for example in examples { #expect(example.count <= 80, "\(example)") }
        let commands = examples.filter { $0.hasPrefix("  fuekid ") }
        #expect(commands.count >= 16)
        for command in commands {
            let folder = try TemporaryFolder()
            // The vault's folder cannot be made there: so no example starts to serve.
            let line = command.replacing("./auth", with: "/dev/null/auth")
            let outcome = try Program.run(
                "/bin/sh", ["-c", "\(line) --json"],
                environment: ["PATH": "\(FuekiCommand.binaries):/usr/bin:/bin"], in: folder.path)
            let error = try JSON(decoding: Array(outcome.errors.utf8), limit: 1 << 16)["error"]
            #expect(outcome.status != 0 && outcome.status != 64, "\(command): \(outcome.errors)")
            #expect(error?["code"]?.string != nil, "\(command): \(outcome.errors)")
        }
    }

    @Test("command, manual page and completions are installed where shells and man look for them")
    func install() throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.run(
            "\(Repository.path)/scripts/install",
            environment: Self.environment.merging(["DESTDIR": folder.path, "PREFIX": "/usr"]) { $1 })
        #expect(outcome.isSuccess, "\(outcome.errors)")
        let expected = [
            "bin/fuekid", "share/man/man8/fuekid.8", "share/bash-completion/completions/fuekid",
            "share/zsh/site-functions/_fuekid", "share/fish/vendor_completions.d/fuekid.fish",
        ].map { "\(folder.path)/usr/\($0)" }
        #expect(outcome.output.split(separator: "\n").map(String.init) == expected)
        for path in expected {
            #expect((try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) > 1_000, "\(path)")
        }
        #expect(try Program.output("\(folder.path)/usr/bin/fuekid", ["--version"]) == "0.1.0\n")
    }
}
