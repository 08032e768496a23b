internal import ArgumentParser
internal import Custody
internal import Foundation
internal import Terminal
internal import Texts

struct BenchCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure this machine: key generation, signing, and the vault.",
        discussion: """
            Every operation takes turns with a single-key Schnorr signature by libsecp256k1. Compare the ratios to it: times \
            differ from machine to machine, and from moment to moment. At the end as many signing sessions as there are \
            rounds are left open, and their memory is measured. With --json, one line for each operation.
            """)

    @Option(help: ArgumentHelp("How often each operation runs.", valueName: "number"))
    var rounds = 300

    @Option(
        help: ArgumentHelp("Measure only operations whose name begins like this.", valueName: "name"))
    var only: String?

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
    }

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fueki-bench-\(UUID().uuidString)")
        let timings: [Timing]
        var sessions: [SessionMemory] = []
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            output.progress(
                StepText(
                    "measuring each operation \(rounds) times", done: "measured each operation \(rounds) times"))
            let operations = Operations.all(in: folder.path).filter {
                $0.name == Operations.reference || $0.name.hasPrefix(only ?? "")
            }
            timings = try await Timing.measure(operations, rounds: rounds, reference: Operations.reference)
            if SessionMemory.name.hasPrefix(only ?? "") {
                let group = try ECDSAGroup(threshold: 2, total: 3)
                if let measured = try SessionMemory.measure(rounds, of: group) { sessions = [measured] }
            }
        } catch {
            let reason = (error as? any Explained).map { ": \($0.failure.message)" } ?? ""
            throw Failure(code: .other, name: "bench", message: "the benchmark failed" + reason)
        }
        try output.lines(timings) {
            Table(
                [["operation", "times", "median", "in single-key signatures", "bytes sent"]]
                    + timings.map {
                        [
                            $0.op, "\($0.n)", String(format: "%.1f us", Double($0.median_ns) / 1_000),
                            String(format: "%.2f", $0.single_signatures), $0.sent_bytes.map(String.init) ?? "",
                        ]
                    }
            ).text
        }
        guard !sessions.isEmpty else { return }
        try output.lines(sessions) {
            Table(
                [["left open", "sessions", "memory of each", "in one GiB", "mappings of all"]]
                    + sessions.map {
                        [
                            $0.op, "\($0.n)", "\($0.bytes_per_session) bytes", "\($0.sessions_per_gib)",
                            "\($0.mappings)",
                        ]
                    }
            ).text
        }
    }
}
