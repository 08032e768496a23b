internal import Foundation
internal import TestSupport
internal import Testing

/// Runs only where the environment sets neither seed nor scale, so that these tests' own seeds are used.
private let usesOwnSeeds = ["FUEKI_FUZZ_SEED", "FUEKI_FUZZ_SCALE"]
    .allSatisfy { ProcessInfo.processInfo.environment[$0] == nil }

@Suite("Test support", .enabled(if: usesOwnSeeds, "the environment sets a seed or a scale"))
struct TestSupportTests {
    @Test("a fuzz run gives the same inputs for the same seed, others for another, and begins with the valid inputs")
    func repeatable() {
        func inputs(_ seed: UInt64) -> [[UInt8]] {
            var inputs: [[UInt8]] = []
            Fuzz.mutations(of: [[1, 2, 3], []], iterations: 100, seed: seed) { inputs.append($0) }
            return inputs
        }
        #expect(inputs(1) == inputs(1))
        #expect(inputs(1).starts(with: [[1, 2, 3], []]))
        #expect(inputs(1) != inputs(2))
    }

    @Test("a decoder that accepts two forms of one value is caught")
    func notCanonical() {
        withKnownIssue {
            Fuzz.roundTrips(of: [[0x10, 0]], decode: { $0.prefix(2).map { $0 & 0xf0 } }, encode: { $0 })
        }
    }

    @Test("a decoder that refuses everything is caught")
    func refusesAll() {
        struct Refused: Error {}
        withKnownIssue {
            Fuzz.roundTrips(of: [[0]], decode: { _ -> Int in throw Refused() }, encode: { _ in [] })
        }
    }

    @Test("a body that throws is reported")
    func throwing() {
        struct Wrong: Error {}
        withKnownIssue {
            Fuzz.mutations(of: [[0]]) { if $0 == [0xff] { throw Wrong() } }
        }
    }

    @Test("a trap prints the seed and the input")
    func trap() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent],
            performing: {
                Fuzz.mutations(of: [[0, 0xab], [1, 0xcd]], seed: 7) { if $0 == [1, 0xcd] { _ = $0[2] } }
            })
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("FUEKI_FUZZ_SEED=7, input 1 of 2 bytes: 01cd\n"))
    }

    @Test("unbounded recursion prints the input, too")
    func overflow() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent],
            performing: {
                func depth(_ bytes: [UInt8]) -> Int { bytes.isEmpty ? 0 : 1 + depth(bytes + []) }
                Fuzz.mutations(of: [[0xee]]) { _ = depth($0) }
            })
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("input 0 of 1 bytes: ee\n"))
    }

    @Test("a test's hexadecimal text is decoded, line by line", arguments: [("00ff 1A\nb2", [0x00, 0xff, 0x1a, 0xb2])])
    func hexadecimal(_ text: String, _ bytes: [UInt8]) {
        #expect(hex(text) == bytes)
        #expect(hex(bytes) == "00ff1ab2")
    }
}

@Suite("Published vectors")
struct VectorsTests {
    @Test("a vector file is read unchanged, and another number of cases than expected is an error")
    func json() throws {
        let file = try Vectors.json("bip445/nonce_gen")
        _ = try file.array(of: 5)
        for count in [0, 4, 6] { #expect(throws: JSON.WrongKind.self) { try file.array(of: count) } }
        #expect(throws: JSON.WrongKind.self) { try file["no such key"].string }
    }

    @Test("a missing file is an error")
    func missing() {
        #expect(throws: CocoaError.self) { try Vectors.json("bip445/no-such-file") }
        #expect(throws: CocoaError.self) { try Vectors.bytes("no-such-folder/bip340") }
    }

    @Test("the table of sources names every file, and no other")
    func sources() throws {
        let page = try String(
            contentsOf: Vectors.folder.appendingPathComponent("../../docs/vectors.md"), encoding: .utf8)
        let named = page.matches(of: #/\n\| `([a-z0-9_\/]+)\.json` \|/#).map { String($0.1) }
        let there = try FileManager.default.subpathsOfDirectory(atPath: Vectors.folder.path)
            .filter { !$0.hasPrefix(".") && $0.contains(".") }.map { $0.replacing(".json", with: "") }
        #expect(!named.isEmpty && there.sorted() == named.sorted())
    }
}
