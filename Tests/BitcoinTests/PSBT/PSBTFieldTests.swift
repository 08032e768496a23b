import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("PSBT fields")
struct PSBTFieldTests {
    /// Key, value, map, and whether it is valid. Map 1 is the input, 2 an output.
    static let fields: [([UInt8], [UInt8], Int, Bool)] = {
        let x = hex("2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4")
        let sig = [UInt8](repeating: 7, count: 64)
        let origin: [UInt8] = [0, 1, 2, 3, 4, 9, 0, 0, 0]
        let leaf = [UInt8](repeating: 3, count: 32)
        // No point of the curve has this x coordinate (BIP-340's test vectors: not on the curve).
        let off = hex("eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34")
        // r and s are 1: strict DER, and the type.
        let der: [UInt8] = [0x30, 6, 2, 1, 1, 2, 1, 1, 1]
        let y = hex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
        let g = hex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
        return [
            ([0x17], off, 1, false), ([0x16] + off, origin, 1, false), ([0x14] + off + x, sig, 1, false),
            ([0x15, 0xC0] + off, [0x51, 0xC0], 1, false), ([0x05], off, 2, false), ([0x07] + off, origin, 2, false),
            ([0x02, 2] + off, der, 1, false), ([0x06, 2] + off, [1, 2, 3, 4], 1, false),
            ([0x02, 4] + g + y, der, 1, true), ([0x02, 4] + g + g, der, 1, false),
            ([0x06, 4] + g + y, [1, 2, 3, 4], 1, true), ([0x06, 4] + y + g, [1, 2, 3, 4], 1, false),
            ([0x02, 6] + g + y, der, 1, false),
            // A size that needs fewer bytes, a number with a leading zero, a negative one, an additional byte, a wrong
            // type.
            ([0x02, 2] + x, [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1, 1], 1, false),
            ([0x02, 2] + x, [0x30, 7, 2, 2, 0, 1, 2, 1, 1, 1], 1, false),
            ([0x02, 2] + x, [0x30, 6, 2, 1, 0x81, 2, 1, 1, 1], 1, false),
            ([0x02, 2] + x, [0x30, 6, 2, 1, 1, 2, 1, 1, 0, 1], 1, false),
            ([0x02, 2] + x, Array(der.dropLast()), 1, false), ([0x02, 2] + x, [], 1, false),
            ([0x13], sig + [0], 1, false), ([0x14] + x + x, sig + [0], 1, false),
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
            ([0x02, 2] + x, der, 1, true), ([0x02, 2] + x, [UInt8](repeating: 1, count: 71), 1, false),
            ([0x02, 4] + x, der, 1, false),
            ([0x02, 2] + x, [1], 1, false), ([0x06, 3] + x, [1, 2, 3, 4], 1, true),
            ([0x06, 3] + x, [1, 2, 3], 1, false),
            ([0x07], [], 1, false), ([0x08], [], 1, false), ([0x08], [0], 1, false), ([0x08], [1, 1, 9], 1, true),
            ([0x08], [1, 2, 9], 1, false), ([0x08], [1, 1, 9, 9], 1, false),
            ([0x0B] + [UInt8](repeating: 0, count: 32), [1, 2, 3], 1, false), ([0xFC], [], 1, false),
            ([0xFC, 1, 9, 0], [], 1, true), ([0xFC, 1, 9], [], 1, false), ([0xFC, 5, 0], [], 1, false),
            ([0x01, 0], [], 1, false), ([0x01], [1], 1, false),
            ([0x05], x, 2, true), ([0x05], [2] + x, 2, false), ([0x07] + x, origin, 2, true),
            ([0x07] + x, [1], 2, false),
            ([0x02, 2] + x, [1, 2, 3, 4], 2, true), ([0x02] + x, [1, 2, 3, 4], 2, false),
            ([0x06], [0, 0xC0, 1, 0x51], 2, true), ([0x06], [], 2, false), ([0x06], [1, 0xC0, 1, 0x51], 2, false),
            ([0x06], [1, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], 2, true),
            ([0x06], [0, 0xC0, 1, 0x51, 0, 0xC0, 1, 0x51], 2, false),
            ([0x06], [0, 0xC1, 1, 0x51], 2, false), ([0x06], [129, 0xC0, 1, 0x51], 2, false),
            ([0x06], [2, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], 2, false),
            // Bytes after a type without key data; an origin whose path is not whole numbers.
            ([0x00, 0], [1], 0, false), ([0x07, 0], [1], 1, false), ([0x08, 0], [1, 1, 9], 1, false),
            ([0x18, 0], x, 1, false), ([0x00, 0], [0x51], 2, false), ([0x01, 0], [0x51], 2, false),
            ([0x05, 0], x, 2, false), ([0x06, 0], [0, 0xC0, 1, 0x51], 2, false),
            ([0x02, 2] + x, [1, 2, 3], 2, false), ([0x02, 2] + x, [1, 2, 3, 4, 5], 2, false),
            ([0x01], [1, 2], 0, false), ([0xFB, 0], [0, 0, 0, 0], 0, false), ([0xFB], [0], 0, false),
        ]
    }()

    /// The same, for fields that hash, count or point somewhere.
    static let more: [([UInt8], [UInt8], Int, Bool)] = {
        let preimage: [UInt8] = [1, 2, 3]
        let sha = SHA256.hash(preimage)
        let x = Secp256k1.Point.generator.xOnly
        // BIP-32's 78 bytes of a key without parent, and of its child.
        let root = [0x04, 0x35, 0x87, 0xCF] + [UInt8](repeating: 0, count: 9) + sha + [2] + x
        let child = root[..<4] + [1] + root[5...]
        func leaves(_ depths: [Int]) -> [UInt8] { depths.flatMap { [UInt8($0), 0xC0, 0] } }
        func control(_ steps: Int) -> [UInt8] { [0x15, 0xC0] + x + [UInt8](repeating: 0, count: 32 * steps) }
        func derivation(_ leaves: Int) -> [UInt8] { [UInt8(leaves)] + [UInt8](repeating: 0, count: 32 * leaves + 4) }
        func wrong(_ hash: [UInt8]) -> [UInt8] { hash.dropLast() + [hash[hash.count - 1] ^ 1] }
        return [
            ([0x0A] + RIPEMD160.hash(preimage), preimage, 1, true),
            ([0x0A] + wrong(RIPEMD160.hash(preimage)), preimage, 1, false),
            ([0x0B] + sha, preimage, 1, true), ([0x0B] + wrong(sha), preimage, 1, false),
            ([0x0C] + Hash160.hash(preimage), preimage, 1, true),
            ([0x0C] + wrong(Hash160.hash(preimage)), preimage, 1, false),
            ([0x0D] + SHA256.hash(sha), preimage, 1, true), ([0x0D] + sha, preimage, 1, false),
            ([0x01] + root, [1, 2, 3, 4], 0, true), ([0x01] + root, [1, 2, 3, 4, 0, 0, 0, 0], 0, false),
            ([0x01] + root, [1, 2, 3, 4, 0], 0, false), ([0x01] + child, [1, 2, 3, 4], 0, false),
            ([0x01] + child, [1, 2, 3, 4, 0, 0, 0, 0], 0, true),
            ([0x06, 2] + x, [UInt8](repeating: 0, count: 4 + 4 * 32), 1, true),
            ([0x06, 2] + x, [UInt8](repeating: 0, count: 4 + 4 * 33), 1, false),
            ([0x06], leaves([1, 2, 2]), 2, true), ([0x06], leaves([2, 1, 1]), 2, false),
            ([0x06], leaves([128] + (1...128).reversed()), 2, true),
            ([0x06], leaves([129] + (1...129).reversed()), 2, false),
            (control(128), [0x51, 0xC0], 1, true), (control(129), [0x51, 0xC0], 1, false),
            ([0x16] + x, derivation(128), 1, true), ([0x16] + x, derivation(129), 1, false),
        ]
    }()

    @Test("hashes, trees and keys are checked, with their limits", arguments: more.indices)
    func hashesAndLimits(_ number: Int) throws { try check(Self.more[number]) }

    @Test("each field has the form that its standard prescribes", arguments: fields.indices)
    func field(_ number: Int) throws { try check(Self.fields[number]) }

    private func check(_ field: ([UInt8], [UInt8], Int, Bool)) throws {
        let (key, value, map, isRight) = field
        // The output is not shown yet, so the input can be given any.
        let psbt = try PSBT(Draft.payment(by: LoneSigner()).transaction)
        if isRight {
            let read = try psbt.adding(key, value, toMap: map)
            #expect(try PSBT(decoding: read.encoded) == read)
            #expect(read != psbt)
        } else {
            let name: PSBTField.Map = [.global, .input(0), .output(0)][map]
            #expect(throws: BitcoinError.psbt(.badField(PSBTField(name, type: UInt64(key[0]))))) {
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
