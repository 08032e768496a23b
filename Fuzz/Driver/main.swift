// Runs one entry under libFuzzer, which is guided by coverage. `scripts/fuzz` builds this program, and runs it for each entry.
//
//     fuzz-decoders list                 prints the names of all entries
//     fuzz-decoders seeds DIR ENTRY...   writes each entry's seeds into DIR/ENTRY
//     FUEKI_FUZZ_DECODER=ENTRY fuzz-decoders [LIBFUZZER'S OPTIONS] [CORPUS...]
//
// Linux only: Apple's compiler comes without libFuzzer.

internal import Foundation

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    guard let encoded = try? recode(input) else { return 0 }
    precondition(encoded == input, "accepted, but encodes differently")
    return 0
}

/// SwiftPM generates a `main` for the program, so libFuzzer is started explicitly.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

func stop(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
}

func entry(_ name: String) -> FuzzEntry {
    guard let entry = FuzzEntry.all[name] else {
        stop("There is no entry \(name). The entries: \(FuzzEntry.all.keys.sorted().joined(separator: ", "))", 64)
    }
    return entry
}

func writeSeeds(of entry: FuzzEntry, to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, seed) in try entry.seeds().enumerated() {
        // A seed that the decoder refuses is useless.
        guard try entry.recode(seed) == seed else { stop("\(entry.name) refuses its seed \(number).", 1) }
        try Data(seed).write(to: folder.appendingPathComponent("seed-\(number)"))
    }
}

let words = CommandLine.arguments.dropFirst()
if words == ["list"] {
    for name in FuzzEntry.all.keys.sorted() { print(name) }
    exit(0)
}
if words.first == "seeds" {
    guard words.count >= 3 else { stop("usage: fuzz-decoders seeds DIR ENTRY...", 64) }
    for entry in words.dropFirst(2).map(entry) {
        do { try writeSeeds(of: entry, to: URL(fileURLWithPath: words[2]).appendingPathComponent(entry.name)) } catch {
            stop("The seeds of \(entry.name) cannot be made: \(error)", 1)
        }
    }
    exit(0)
}
guard let name = ProcessInfo.processInfo.environment["FUEKI_FUZZ_DECODER"] else {
    stop("FUEKI_FUZZ_DECODER names the entry. `fuzz-decoders list` prints their names.", 64)
}
let recode = entry(name).recode

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, tryInput))
