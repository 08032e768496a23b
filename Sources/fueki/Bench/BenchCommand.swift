internal import ArgumentParser
internal import Custody
internal import Foundation

struct BenchCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure this machine, beside a single-key signature of libsecp256k1.",
        discussion: """
            Every operation runs in the same process in turn with one libsecp256k1 Schnorr signature: compare the ratios, \
            machines and moments differ. With --json, one line for each operation.
            """)

    @Option(help: "How often each operation runs.")
    var rounds = 300

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        guard rounds > 0 else { throw .usage("--rounds is at least 1") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fueki-bench-\(UUID().uuidString)")
        let timings: [Timing]
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            output.progress("measuring \(rounds) rounds")
            timings = try await Timing.measure(
                try await Operations.all(in: folder.path), rounds: rounds, reference: Operations.reference)
        } catch {
            throw Failure(code: .other, name: "bench", message: "the benchmark failed: \(error)")
        }
        output.lines(timings) {
            Table(
                [["operation", "times", "median", "in single-key signatures"]]
                    + timings.map {
                        [
                            $0.op, "\($0.n)", String(format: "%.1f us", Double($0.median_ns) / 1_000),
                            String(format: "%.2f", $0.single_signatures),
                        ]
                    }
            ).text
        }
    }
}
