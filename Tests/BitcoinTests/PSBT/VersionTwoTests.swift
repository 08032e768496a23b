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
        var invented = InventedCoins(signer)
        try invented.add(70_000, isSegwit: true)
        try invented.add(60_000)
        return (signer, try invented.plan(try invented.order(paying: 100_000, height: 800)).psbt)
    }

    @Test("the same content in version 2 has the same transaction and digest, and is written in version 2")
    func same() throws {
        let (signer, psbt) = try proven()
        let bytes = try Self.versionTwo(psbt)
        let read = try PSBT(decoding: bytes)
        #expect(read.encoded == bytes)
        #expect(read.unsignedTransaction == psbt.unsignedTransaction)
        #expect(read.inputs == psbt.inputs && read.outputs == psbt.outputs)
        #expect(read.intentDigest(for: signer.accounts) == psbt.intentDigest(for: signer.accounts))
        let empty = try PSBT(Transaction(version: 2, inputs: [], outputs: [], lockTime: 5))
        let readEmpty = try PSBT(decoding: Self.versionTwo(empty))
        #expect(readEmpty.unsignedTransaction == empty.unsignedTransaction)
        // Optional fields.
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

    @Test("a signature keeps all fields of version 2, and withdraws the permission to add inputs and outputs")
    func signed() throws {
        let (signer, psbt) = try proven()
        let bytes = try Self.versionTwo(psbt) { map, name in
            // Unknown and proprietary fields, required lock times, and flags: both permissions, and one without meaning.
            map[0x77] = [1, 2, 3]
            try map.insert([9], forKey: [0xFC, 3, 0x66, 0x75, 0x65, 7], in: name)
            if name == .global { map[0x06] = [0b1011] }
            if case .input = name { map[0x12] = [0x20, 3, 0, 0] }
        }
        let unsigned = try PSBT(decoding: bytes)
        #expect(unsigned.encoded == bytes)
        let signed = try signer.sign(unsigned)
        let again = try PSBT(decoding: signed.encoded)
        #expect(again == signed && again.versionTwo?.global[PSBTType.Global.modifiable] == [0b1000])
        // Without the signatures and with the former flags it is the file that came.
        var stripped = again
        for index in stripped.inputs.indices {
            stripped.inputs[index].map.keep {
                $0 != PSBTType.Input.partialSignature && $0 != PSBTType.Input.tapKeySignature
            }
        }
        #expect(stripped.inputs != again.inputs)
        let fields = try #require(unsigned.versionTwo)
        stripped.versionTwo = fields
        #expect(stripped.encoded == bytes)
        // Without the field there are no permissions, and none is written.
        let closed = try signer.sign(PSBT(decoding: Self.versionTwo(psbt)))
        #expect(
            closed.encoded.starts(with: PSBT.magic)
                && closed.versionTwo?.global.has(PSBTType.Global.modifiable) == false)
        let final = try PSBT(decoding: again.finalised().encoded)
        #expect(try final.transaction() == signer.sign(psbt).finalised().transaction())
        #expect(final.unknownFieldCount == unsigned.unknownFieldCount && final.versionTwo == again.versionTwo)
    }

    @Test("combined PSBTs have the version of the first, and only the permissions that both have")
    func combined() throws {
        let (signer, psbt) = try proven()
        let open = try PSBT(decoding: Self.versionTwo(psbt) { map, name in if name == .global { map[0x06] = [0b011] } })
        let single = try PSBT(
            decoding: Self.versionTwo(psbt) { map, name in if name == .global { map[0x06] = [0b110] } })
        let closed = try PSBT(decoding: Self.versionTwo(psbt))
        for (first, second, flags): (PSBT, PSBT, [UInt8]?) in [
            (open, single, [0b110]), (open, closed, [0]), (closed, open, [0]), (closed, closed, nil),
            (open, psbt, [0b011]), (open, try signer.sign(open), [0]), (try signer.sign(psbt), open, nil),
        ] {
            let both = try first.combined(with: second)
            #expect((both.versionTwo == nil) == (first.versionTwo == nil))
            #expect(both.versionTwo?.global[PSBTType.Global.modifiable] == flags)
            #expect(try PSBT(decoding: both.encoded) == both)
        }
        let signed = try closed.combined(with: signer.sign(psbt))
        #expect(throws: Never.self) { try signed.finalised().transaction() }
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

    @Test("a mutated PSBT of version 2 is refused, or read and written with the same content")
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
