internal import Foundation
import TestSupport
import Testing

@Suite("Installation of the command")
struct InstallationTests {
    // The server has tests of its own.
    static let environment = ["FUEKI": "\(FuekiCommand.binaries)/fueki", "FUEKID": "/nowhere/fuekid"]

    @Test("the manual page matches the command's help")
    func manual() throws {
        let outcome = try Program.run(
            "\(Repository.path)/scripts/manual", ["--check", "fueki"], environment: Self.environment)
        #expect(outcome.isSuccess, "\(outcome.errors)")
    }

    @Test("an outdated manual page is detected")
    func staleManual() throws {
        let folder = try TemporaryFolder()
        let page = try String(contentsOfFile: "\(Repository.path)/docs/man/fueki.1", encoding: .utf8)
        try folder.write(page.replacing("Show an address", with: "Show the address"), to: "fueki.1")
        let outcome = try Program.run(
            "\(Repository.path)/scripts/manual", ["--check", "fueki", "\(folder.path)/fueki.1"],
            environment: Self.environment)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("run scripts/manual"))
    }

    @Test("command, manual page and completions are installed where shells and man look for them")
    func install() throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.run(
            "\(Repository.path)/scripts/install",
            environment: Self.environment.merging(["DESTDIR": folder.path, "PREFIX": "/usr"]) { $1 })
        #expect(outcome.isSuccess, "\(outcome.errors)")
        let expected = [
            "bin/fueki", "share/man/man1/fueki.1", "share/bash-completion/completions/fueki",
            "share/zsh/site-functions/_fueki", "share/fish/vendor_completions.d/fueki.fish",
        ].map { "\(folder.path)/usr/\($0)" }
        #expect(outcome.output.split(separator: "\n").map(String.init) == expected)
        for path in expected {
            #expect((try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) > 1_000, "\(path)")
        }
        let version = try Program.output("\(folder.path)/usr/bin/fueki", ["--version"])
        #expect(version == "0.1.0\n")
        #expect(try folder.read("usr/share/zsh/site-functions/_fueki").hasPrefix("#compdef fueki"))
    }
}
