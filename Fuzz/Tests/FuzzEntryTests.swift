import Testing

/// The fuzzers need valid inputs to begin with: without them they do not get past the first check.
@Suite("Fuzz entries")
struct FuzzEntryTests {
    @Test("every entry has seeds, and its decoder accepts each of them", arguments: FuzzEntry.all.keys.sorted())
    func seeds(_ name: String) throws {
        let entry = try #require(FuzzEntry.all[name])
        let seeds = try entry.seeds()
        #expect(!seeds.isEmpty)
        for (number, seed) in seeds.enumerated() {
            #expect(try entry.recode(seed) == seed, "seed \(number)")
        }
    }

    @Test("every entry refuses some input", arguments: FuzzEntry.all.keys.sorted())
    func refusals(_ name: String) throws {
        let entry = try #require(FuzzEntry.all[name])
        // Text that is not UTF-8, more bytes than any format has fields, and bytes of no format.
        let inputs: [[UInt8]] = [[0xFF], [0], [UInt8](repeating: 0xFF, count: 3_000)]
        #expect(inputs.contains { (try? entry.recode($0)) != $0 } || Self.total.contains(name))
    }

    /// The decoders that accept every input.
    private static let total: Set = ["calldata"]
}
