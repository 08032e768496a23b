internal import Bitcoin
import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@Suite("Transactions")
struct TransactionTests {
    /// Made by embit: two inputs, one of them with a witness and a script signature, and two outputs.
    static let segwit = hex(
        "020000000001021f1e1d1c1b1a191817161514131211100f0e0d0c0b0a0908070605040302010001000000171600140001020304050607"
            + "08090a0b0c0d0e0f10111213fdffffff3f3e3d3c3b3a393837363534333231302f2e2d2c2b2a2928272625242322212000000000"
            + "00ffffffff0215cd5b070000000022512011111111111111111111111111111111111111111111111111111111111111110000"
            + "000000000000056a036162630247" + String(repeating: "aa", count: 71) + "2102"
            + String(repeating: "bb", count: 32) + "0000350c00")

    @Test("a transaction with witnesses encodes to the same bytes, with its identifiers and sizes")
    func witnesses() throws {
        let segwit = try Transaction(decoding: Self.segwit)
        #expect(segwit.encoded == Self.segwit)
        #expect(segwit.id.description == "0ad960ed58905edb4ebb61b35bae71dd721bea63986dddb94837293ff5e6c426")
        #expect(segwit.inputs.map { $0.witness.map(\.count) } == [[71, 33], []])
        #expect(segwit.weight == 3 * (Self.segwit.count - 110) + Self.segwit.count)
        #expect(segwit.virtualSize == (segwit.weight + 3) / 4)
        #expect(
            segwit.inputs[0].previousOutput.description
                == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f:1")
        #expect(segwit.outputs[0].amount.satoshis == 123_456_789)
        #expect(segwit.lockTime == 800_000)
    }

    @Test("a transaction without witnesses has one identifier, and four times its size as weight")
    func legacy() throws {
        let legacy = try Transaction(decoding: simple())
        #expect(legacy.encoded == simple())
        #expect(legacy.weight == 4 * simple().count)
    }

    @Test("a truncated or extended transaction is refused")
    func size() throws {
        for length in 0..<Self.segwit.count {
            #expect(throws: BitcoinError.self) { try Transaction(decoding: Self.segwit.prefix(length)) }
        }
        #expect(throws: BitcoinError.malformed(.leftOver(count: 1))) { try Transaction(decoding: Self.segwit + [0]) }
    }

    /// One input, one output, without witnesses.
    private func simple(
        inputs: String = "01", script: String = "00", outputs: String = "01", amount: String = "0000000000000000"
    ) -> [UInt8] {
        hex(
            "02000000\(inputs)" + String(repeating: "11", count: 32)
                + "00000000\(script)ffffffff\(outputs)\(amount)0151" + "00000000")
    }

    @Test("a valid transaction with one error is refused with its name")
    func strict() throws {
        _ = try Transaction(decoding: simple())
        #expect(throws: BitcoinError.malformed(.notCanonical)) { try Transaction(decoding: simple(inputs: "fd0100")) }
        #expect(throws: BitcoinError.malformed(.notCanonical)) {
            try Transaction(decoding: simple(script: "fe00000000"))
        }
        #expect(throws: BitcoinError.malformed(.truncated)) {
            try Transaction(decoding: simple(inputs: "ffffffffffffffffff"))
        }
        #expect(throws: BitcoinError.malformed(.truncated)) {
            try Transaction(decoding: simple(outputs: "ffffffffffffffff7f"))
        }
        // One satoshi above 21 million, and the highest number there is.
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decoding: simple(amount: "0140075af0750700")) }
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decoding: simple(amount: "ffffffffffffffff")) }
        _ = try Transaction(decoding: simple(amount: "0040075af0750700"))
    }

    @Test("outputs that sum up to more than 21 million are refused")
    func sum() throws {
        let output = TransactionOutput(amount: .maximum, scriptPubKey: ScriptPubKey([0x51]))
        let input = TransactionInput(previousOutput: try Draft.outPoint(0), sequence: 0)
        let one = Transaction(version: 2, inputs: [input], outputs: [output], lockTime: 0)
        let two = Transaction(version: 2, inputs: [input], outputs: [output, output], lockTime: 0)
        #expect(try Transaction(decoding: one.encoded) == one)
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decoding: two.encoded) }
    }

    @Test("a witness marker needs a flag of 1 and a witness")
    func marker() throws {
        let plain = simple()
        func marked(_ flag: UInt8, _ witness: [UInt8]) -> [UInt8] {
            var bytes = Array(plain[..<4])
            bytes += [0, flag]
            bytes += plain[4..<(plain.count - 4)]
            bytes += witness
            return bytes + plain.suffix(4)
        }
        #expect(try Transaction(decoding: marked(1, [1, 0])).hasWitness)
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decoding: marked(1, [0])) }
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decoding: marked(2, [1, 0])) }
        #expect(throws: BitcoinError.self) { try Transaction(decodingUnsigned: marked(1, [1, 0])) }
    }

    @Test("a transaction without inputs or outputs is refused, unless it is an unsigned draft")
    func empty() throws {
        let empty = hex("02000000000000000000")
        #expect(throws: BitcoinError.self) { try Transaction(decoding: empty) }
        #expect(try Transaction(decodingUnsigned: empty).inputs.isEmpty)
        let noOutputs = Array(simple()[..<46]) + [0, 0, 0, 0, 0]
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decoding: noOutputs) }
        #expect(try Transaction(decodingUnsigned: noOutputs).outputs.isEmpty)
        #expect(throws: BitcoinError.badTransaction) { try Transaction(decodingUnsigned: simple(script: "0151")) }
    }

    @Test("a witness with more elements than a script may have is refused")
    func witnessElements() throws {
        let plain = simple()
        func marked(_ count: Int) -> [UInt8] {
            let size = [0xFD, UInt8(count & 0xFF), UInt8(count >> 8)]
            return plain[..<4] + [0, 1] + plain[4..<(plain.count - 4)] + size + [UInt8](repeating: 0, count: count)
                + plain.suffix(4)
        }
        #expect(try Transaction(decoding: marked(1_003)).inputs[0].witness.count == 1_003)
        #expect(throws: BitcoinError.malformed(.tooLong(limit: 1_003))) { try Transaction(decoding: marked(1_004)) }
    }

    @Test("an identifier is printed and parsed in reverse")
    func identifier() throws {
        let text = "0ad960ed58905edb4ebb61b35bae71dd721bea63986dddb94837293ff5e6c426"
        let id = try TransactionID(text)
        #expect(id.bytes.first == 0x26)
        #expect(id.description == text)
        #expect(throws: BitcoinError.malformed(.tooLong(limit: 32))) { try TransactionID(text + "00") }
        for bad in ["", "0a", text + "00", String(text.dropLast()), text.replacing("9", with: "g")] {
            #expect(throws: BitcoinError.self) { try TransactionID(bad) }
        }
    }
}
