import Testing

/// The fuzzers begin from valid inputs: without them they stay in front of the first check.
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
        // Text that is no UTF-8, more bytes than any format has fields, and bytes of no format.
        let inputs: [[UInt8]] = [[0xFF], [0], [UInt8](repeating: 0xFF, count: 3_000)]
        #expect(inputs.contains { (try? entry.recode($0)) != $0 } || Self.total.contains(name))
    }

    /// Decoders that give something for every input.
    private static let total: Set = ["calldata"]
}
