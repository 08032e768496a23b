import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("PSBT version 2")
struct VersionTwoTests {
    /// Writes a PSBT of version 0 as version 2.
    static func versionTwo(
        _ psbt: PSBT, lockTime: UInt32? = nil, _ change: (inout KeyValueMap, PSBTField.Map) throws -> Void = { _, _ in }
    ) throws -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
        }
        let transaction = psbt.unsignedTransaction
        var maps: [KeyValueMap] = []
        var global = psbt.global
        global[PSBTType.Global.unsignedTransaction] = nil
        global[PSBTType.Global.version] = bytes(UInt32(2))
        global[0x02] = bytes(transaction.version)
        global[0x03] = bytes(lockTime ?? transaction.lockTime)
        var (inputs, outputs) = (ByteWriter(), ByteWriter())
        inputs.compactSize(transaction.inputs.count)
        outputs.compactSize(transaction.outputs.count)
        global[0x04] = inputs.bytes
        global[0x05] = outputs.bytes
        try change(&global, .global)
        maps.append(global)
        for (index, input) in transaction.inputs.enumerated() {
            var map = psbt.inputs[index].map
            map[0x0E] = input.previousOutput.transaction.bytes
            map[0x0F] = bytes(input.previousOutput.index)
            map[0x10] = bytes(input.sequence)
            try change(&map, .input(index))
            maps.append(map)
        }
        for (index, output) in transaction.outputs.enumerated() {
            var map = psbt.outputs[index].map
            map[0x03] = bytes(output.amount.satoshis)
            map[0x04] = output.scriptPubKey.bytes
            try change(&map, .output(index))
            maps.append(map)
        }
        var writer = ByteWriter()
        writer.append(PSBT.magic)
        for map in maps { map.write(to: &writer) }
        return writer.bytes
    }

    private func proven() throws -> (LoneSigner, PSBT) {
        let signer = try LoneSigner.withBothKeys()
        var purse = Purse(signer)
        try purse.add(70_000, isSegwit: true)
        try purse.add(60_000)
        return (signer, try purse.plan(try purse.order(paying: 100_000, height: 800)).psbt)
    }

    @Test("the same content in version 2 is the same PSBT, with the same digest, and is signed unchanged")
    func same() throws {
        let (signer, psbt) = try proven()
        let read = try PSBT(decoding: Self.versionTwo(psbt))
        #expect(read == psbt && read.encoded == psbt.encoded)
        #expect(read.intentDigest(for: signer.accounts) == psbt.intentDigest(for: signer.accounts))
        #expect(throws: Never.self) { try signer.sign(read).finalised().transaction() }
        let empty = try PSBT(Transaction(version: 2, inputs: [], outputs: [], lockTime: 5))
        #expect(try PSBT(decoding: Self.versionTwo(empty)) == empty)
        // Optional fields, and dropped fields.
        let lean = try Self.versionTwo(psbt, lockTime: 0) { map, name in
            if name == .global {
                map[0x03] = nil
                map[0x06] = [0xFF]
            }
            map[0x10] = nil
        }
        let leanTransaction = try PSBT(decoding: lean).unsignedTransaction
        #expect(leanTransaction.lockTime == 0 && leanTransaction.inputs.allSatisfy { $0.sequence == .max })
        #expect(try PSBT(decoding: lean).unknownFieldCount == 0)
    }

    @Test("each field has its form, or the PSBT is refused with the name of the field")
    func forms() throws {
        let (_, psbt) = try proven()
        let fields: [(PSBTField.Map, UInt64, [[UInt8]], isRequired: Bool)] = [
            (.global, 0x02, [[], [2, 0, 0], [2, 0, 0, 0, 0]], true),
            (.global, 0x03, [[1, 2, 3], [1, 2, 3, 4, 5]], false),
            (.global, 0x04, [[], [0xFD, 2, 0], [2, 0]], true), (.global, 0x05, [[], [0xFD, 2, 0], [2, 0]], true),
            (.global, 0x06, [[], [1, 0]], false), (.global, 0x00, [[1]], false),
            (.input(1), 0x0E, [[], [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33)], true),
            (.input(0), 0x0F, [[0, 0, 0], [0, 0, 0, 0, 0]], true), (.input(1), 0x10, [[0, 0, 0]], false),
            (.input(0), 0x11, [[0, 0, 0], [0xFF, 0x64, 0xCD, 0x1D]], false),
            (.input(0), 0x12, [[0, 0, 0], [0, 0, 0, 0], [0, 0x65, 0xCD, 0x1D]], false),
            (.output(1), 0x03, [[1, 0, 0, 0], [UInt8](repeating: 0xFF, count: 8)], true), (.output(0), 0x04, [], true),
        ]
        for (place, type, values, isRequired) in fields {
            for value in values {
                let bytes = try Self.versionTwo(psbt) { map, name in if name == place { map[type] = value } }
                #expect(throws: BitcoinError.psbt(.badField(PSBTField(place, type: type))), "\(place) \(type) \(value)")
                {
                    try PSBT(decoding: bytes)
                }
            }
            let missing = try Self.versionTwo(psbt) { map, name in if name == place { map[type] = nil } }
            if isRequired {
                #expect(throws: BitcoinError.psbt(.missingField(PSBTField(place, type: type)))) {
                    try PSBT(decoding: missing)
                }
            } else {
                #expect(throws: Never.self) { try PSBT(decoding: missing) }
            }
            // None of them has data behind its type.
            let data = try Self.versionTwo(psbt) { map, name in
                if name == place { try map.insert([0, 0, 0, 0], forKey: [UInt8(type), 7], in: name) }
            }
            #expect(throws: BitcoinError.psbt(.badField(PSBTField(place, type: type)))) { try PSBT(decoding: data) }
        }
        // The least time, and the greatest height.
        let edges = try Self.versionTwo(psbt) { map, name in
            if name == .input(0) { map[0x11] = [0x00, 0x65, 0xCD, 0x1D] }
            if name == .input(1) { (map[0x11], map[0x12]) = ([0x01, 0x65, 0xCD, 0x1D], [0xFF, 0x64, 0xCD, 0x1D]) }
        }
        #expect(try PSBT(decoding: edges).unsignedTransaction.lockTime == 500_000_001)
    }

    @Test("impossible counts, and sums that cannot be paid, are refused")
    func bounds() throws {
        let (_, psbt) = try proven()
        for type: UInt64 in [0x04, 0x05] {
            let many = try Self.versionTwo(psbt) { map, name in
                if name == .global { map[type] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 0x80] }
            }
            #expect(throws: BitcoinError.malformed(.truncated)) { try PSBT(decoding: many) }
            for count: UInt8 in [1, 3] {
                let other = try Self.versionTwo(psbt) { map, name in if name == .global { map[type] = [count] } }
                #expect(throws: BitcoinError.self) { try PSBT(decoding: other) }
            }
        }
        // Each is within 21 million, but not their sum.
        let rich = try Self.versionTwo(psbt) { map, name in
            if case .output = name { map[0x03] = [0, 0x40, 0x07, 0x5A, 0xF0, 0x75, 0x07, 0] }
        }
        #expect(throws: BitcoinError.badTransaction) { try PSBT(decoding: rich) }
        // The coins are still those of the inputs.
        let other = try Self.versionTwo(psbt) { map, name in
            if name == .input(0) { map[0x0E] = [UInt8](repeating: 7, count: 32) }
        }
        #expect(throws: BitcoinError.psbt(.previousTransactionMismatch(input: 0))) { try PSBT(decoding: other) }
    }

    @Test("a mutated PSBT of version 2 is refused, or read as version 0")
    func fuzz() throws {
        let (signer, psbt) = try proven()
        let locked = try Self.versionTwo(psbt) { map, name in
            if case .input = name { map[0x12] = [1, 2, 0, 0] }
            if name == .global { map[0x06] = [3] }
        }
        let bare = try Self.versionTwo(try PSBT(psbt.unsignedTransaction))
        var (tried, accepted) = (0, 0)
        Fuzz.mutations(of: [try Self.versionTwo(psbt), locked, bare], iterations: 6_000) { bytes in
            tried += 1
            guard let psbt = try? PSBT(decoding: bytes) else { return }
            accepted += 1
            guard try PSBT(decoding: psbt.encoded) == psbt else { throw BitcoinError.badTransaction }
            _ = SpendSummary(of: psbt, for: signer.ownership)
        }
        #expect(accepted * 20 > tried)
    }
}
