internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import SQLStore

@Suite("Sealed columns")
struct ColumnSealerTests {
    private let place = ColumnSealer.Place("accounts", "name_sealed", row: [1, 2, 3])

    @Test("the sealed form is the documented one")
    func golden() throws {
        let sealer = ColumnSealer(key: sealingKey(7), number: 0x0102_0304, random: Zeros())
        let sealed = try sealer.seal(Array("hello".utf8), at: place)
        // Made with Python's `cryptography`: AESGCM(b"\x07" * 32).encrypt(bytes(12), b"hello", head + place).
        #expect(hex(sealed) == "010102030400000000000000000000000009bdc8de94664e4680ce1e42292510f0703a62472e")
        #expect(try sealer.open(sealed, at: place) == Array("hello".utf8))
    }

    private struct Zeros: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    @Test("empty and long values open unchanged; each seal is different")
    func sizes() throws {
        for size in [0, 1, 15, 16, 17, 100_000] {
            let sealed = try sealer.seal(bytes(3, size), at: place)
            #expect(sealed.count == size + ColumnSealer.overhead)
            #expect(try sealer.open(sealed, at: place) == bytes(3, size))
            let again = try sealer.seal(bytes(3, size), at: place)
            #expect(again != sealed)
        }
    }

    @Test("a value sealed for one table, column or row does not open for another")
    func places() throws {
        let sealed = try sealer.seal([1], at: place)
        for other in [
            ColumnSealer.Place("devices", "name_sealed", row: [1, 2, 3]),
            ColumnSealer.Place("accounts", "label_sealed", row: [1, 2, 3]),
            ColumnSealer.Place("accounts", "name_sealed", row: [1, 2, 4]),
            ColumnSealer.Place("accounts", "name_sealed", row: []),
            // The same letters, split differently.
            ColumnSealer.Place("accountsname", "_sealed", row: [1, 2, 3]),
            ColumnSealer.Place("accounts", "name_sealed\u{1}", row: [2, 3]),
        ] {
            #expect(throws: StoreError.sealIsBroken) { _ = try sealer.open(sealed, at: other) }
        }
    }

    @Test("a changed, missing or additional byte is refused")
    func tampering() throws {
        let sealed = try sealer.seal([1, 2], at: place)
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1
            // The number of the key is the part that tells which key is missing.
            let expected: StoreError =
                (1..<5).contains(position) ? .unknownSealingKey(1 ^ 1 << (8 * UInt32(4 - position))) : .sealIsBroken
            #expect(throws: expected) { _ = try sealer.open(changed, at: place) }
            #expect(throws: StoreError.sealIsBroken) { _ = try sealer.open(Array(sealed.prefix(position)), at: place) }
        }
        #expect(throws: StoreError.sealIsBroken) { _ = try sealer.open(sealed + [0], at: place) }
    }

    @Test("a sealed value whose number names another key of the ring does not open")
    func otherKey() throws {
        let ring = sealer.adding(key: sealingKey(7), number: 2)
        var sealed = try sealer.seal([1], at: place)
        sealed[4] = 2
        #expect(throws: StoreError.sealIsBroken) { _ = try ring.open(sealed, at: place) }
    }

    @Test("a ring seals with the newest key and opens with all")
    func ring() throws {
        let old = try sealer.seal([1], at: place)
        let ring = sealer.adding(key: sealingKey(8), number: 5)
        let new = try ring.seal([2], at: place)
        #expect(ring.newest == 5)
        #expect(try ring.open(old, at: place) == [1])
        #expect(try ring.open(new, at: place) == [2])
        #expect(throws: StoreError.unknownSealingKey(5)) { _ = try sealer.open(new, at: place) }
        // An older key that is added later does not seal.
        #expect(ring.adding(key: sealingKey(9), number: 3).newest == 5)
    }

    @Test("opening never traps, and accepts only sealed values")
    func fuzz() throws {
        let seeds: [[UInt8]] = [try sealer.seal([], at: place), try sealer.seal(bytes(1, 40), at: place)]
        Fuzz.mutations(of: seeds) { input in
            let opened = try? sealer.open(input, at: place)
            if opened != nil, !seeds.contains(input) { Issue.record("opened \(hex(input))") }
        }
    }
}
