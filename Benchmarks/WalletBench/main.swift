// Measures this machine: key generation, signing, and the vault. scripts/bench builds this program and runs it.
//
//   WalletBench [--rounds NUMBER] [--only NAME]
//
// Each operation runs NUMBER times (300), except slow ones, which run less often. With NAME it measures only operations
// whose names begin like this, and the reference. It prints one line of JSON for each operation.
//
// Every operation takes turns with a single-key Schnorr signature by libsecp256k1. Compare the ratios to it: times
// differ from machine to machine, and from moment to moment. At the end as many signing sessions as there are rounds
// are left open, and their memory is measured.

internal import Foundation

func say(_ text: String) { FileHandle.standardError.write(Data("WalletBench: \(text)\n".utf8)) }

func line(_ result: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(result), as: UTF8.self)
}

/// Measures what the options select. The folder exists only meanwhile: it contains a vault.
func lines(_ options: Options, in folder: URL) async throws -> [String] {
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let operations = Operations.all(in: folder.path).filter {
        $0.name == Operations.reference || options.select($0.name)
    }
    let timings = try await Timing.measure(operations, rounds: options.rounds, reference: Operations.reference)
    var lines = try timings.map { try line($0) }
    if options.select(SessionMemory.name) {
        let group = try ECDSAGroup(threshold: 2, total: 3)
        if let measured = try SessionMemory.measure(options.rounds, of: group) { lines.append(try line(measured)) }
    }
    return lines
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    say(Options.usage)
    exit(64)
}
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("WalletBench-\(UUID().uuidString)")
do {
    say("measuring each operation \(options.rounds) times")
    for line in try await lines(options, in: folder) { print(line) }
} catch {
    say("failed: \(error)")
    exit(1)
}
