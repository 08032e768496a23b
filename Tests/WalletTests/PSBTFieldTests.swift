import TestSupport
import Testing

@testable import Wallet

@Suite("PSBT fields")
struct PSBTFieldTests {
    /// Key, value, map, and whether it is right. Map 1 is the input, 2 an output.
    static let fields: [([UInt8], [UInt8], Int, Bool)] = {
        let x = hex("2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4")
        let sig = [UInt8](repeating: 7, count: 64)
        let origin: [UInt8] = [0, 1, 2, 3, 4, 9, 0, 0, 0]
        let leaf = [UInt8](repeating: 3, count: 32)
        return [
            ([0x13], sig, 1, true), ([0x13], sig + [1], 1, true), ([0x13], sig + [1, 1], 1, false),
            ([0x13], Array(sig.dropLast()), 1, false), ([0x13, 0], sig, 1, false),
            ([0x17], x, 1, true), ([0x17], [2] + x, 1, false), ([0x17, 0], x, 1, false),
            ([0x18], x, 1, true), ([0x18], Array(x.dropLast()), 1, false),
            ([0x16] + x, origin, 1, true), ([0x16, 2] + x, origin, 1, false), ([0x16] + x, origin + [0], 1, false),
            ([0x16] + x, [1] + leaf + origin.dropFirst(), 1, true),
            ([0x16] + x, [2] + leaf + origin.dropFirst(), 1, false),
            ([0x16] + x, [0, 1, 2, 3], 1, false), ([0x16] + x, [0, 1, 2, 3, 4], 1, true),
            ([0x16] + x, [0, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 132), 1, false),
            ([0x03], [1, 0, 0, 0], 1, true), ([0x03], [1], 1, false), ([0x03, 0], [1, 0, 0, 0], 1, false),
            ([0x14] + x + x, sig, 1, true), ([0x14] + x, sig, 1, false), ([0x14] + x + x, [], 1, false),
            ([0x15, 0xC0] + x, [0x51, 0xC0], 1, true), ([0x15, 0xC0] + x + [0], [0x51, 0xC0], 1, false),
            ([0x15, 0xC0] + x, [], 1, false),
            ([0x02, 2] + x, [UInt8](repeating: 1, count: 71), 1, true),
            ([0x02, 4] + x, [UInt8](repeating: 1, count: 71), 1, false),
            ([0x02, 2] + x, [1], 1, false), ([0x06, 3] + x, [1, 2, 3, 4], 1, true),
            ([0x06, 3] + x, [1, 2, 3], 1, false),
            ([0x07], [], 1, false), ([0x08], [], 1, false), ([0x08], [0], 1, false), ([0x08], [1, 1, 9], 1, true),
            ([0x08], [1, 2, 9], 1, false), ([0x08], [1, 1, 9, 9], 1, false),
            ([0x0B] + [UInt8](repeating: 0, count: 32), [1, 2, 3], 1, false), ([0xFC], [], 1, false),
            ([0xFC, 1, 9, 0], [], 1, true),
            ([0x01, 0], [], 1, false), ([0x01], [1], 1, false),
            ([0x05], x, 2, true), ([0x05], [2] + x, 2, false), ([0x07] + x, origin, 2, true),
            ([0x07] + x, [1], 2, false),
            ([0x02, 2] + x, [1, 2, 3, 4], 2, true), ([0x02] + x, [1, 2, 3, 4], 2, false),
            ([0x06], [0, 0xC0, 1, 0x51], 2, true), ([0x06], [], 2, false), ([0x06], [1, 0xC0, 1, 0x51], 2, false),
            ([0x06], [1, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], 2, true),
            ([0x06], [0, 0xC0, 1, 0x51, 0, 0xC0, 1, 0x51], 2, false),
            ([0x06], [0, 0xC1, 1, 0x51], 2, false), ([0x06], [129, 0xC0, 1, 0x51], 2, false),
            ([0x06], [2, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], 2, false),
            ([0x01], [1, 2], 0, false), ([0xFB, 0], [0, 0, 0, 0], 0, false), ([0xFB], [0], 0, false),
        ]
    }()

    @Test("each field has the form that its standard prescribes", arguments: fields.indices)
    func field(_ number: Int) throws {
        let (key, value, map, isRight) = Self.fields[number]
        // No output is shown yet, so that the input can be given any.
        let psbt = try PSBT(Draft.payment(by: LoneSigner()).transaction)
        if isRight {
            let read = try psbt.adding(key, value, toMap: map)
            #expect(try PSBT(decoding: read.encoded) == read)
            #expect(read != psbt)
        } else {
            let name: PSBTField.Map = [.global, .input(0), .output(0)][map]
            #expect(throws: WalletError.badField(PSBTField(name, type: UInt64(key[0])))) {
                try psbt.adding(key, value, toMap: map)
            }
        }
    }

    @Test("fields of unknown types are kept, counted, and written back")
    func unknownFields() throws {
        let psbt = try Draft.payment(by: LoneSigner()).psbt
        #expect(psbt.unknownFieldCount == 0)
        var extended = psbt
        for map in 0...3 { extended = try extended.adding([0x77, UInt8(map)], [1, 2, 3], toMap: map) }
        extended = try extended.adding([0xFC, 1, 9, 0], [1], toMap: 0)
        #expect(extended.unknownFieldCount == 5)
        #expect(try PSBT(decoding: extended.encoded) == extended)
    }
}
