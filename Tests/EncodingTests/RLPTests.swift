internal import Encoding
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("RLP")
struct RLPTests {
    /// Ethereum's own examples.
    private static let examples: [(String, RLP)] = [
        ("80", .bytes([])), ("00", .bytes([0])), ("0f", RLP(15)), ("7f", RLP(127)), ("8180", RLP(128)),
        ("820400", RLP(1024)), ("80", RLP(0)), ("88ffffffffffffffff", RLP(.max)),
        ("83646f67", .bytes(Array("dog".utf8))),
        ("c0", .list([])), ("c88363617483646f67", .list([.bytes(Array("cat".utf8)), .bytes(Array("dog".utf8))])),
        ("c7c0c1c0c3c0c1c0", .list([.list([]), .list([.list([])]), .list([.list([]), .list([.list([])])])])),
        (
            "b8384c6f72656d20697073756d20646f6c6f722073697420616d65742c20636f6e7365637465747572206164697069736963696e6720656c6974",
            .bytes(Array("Lorem ipsum dolor sit amet, consectetur adipisicing elit".utf8))
        ),
    ]

    @Test("known answers", arguments: examples)
    func knownAnswers(_ encoded: String, _ item: RLP) throws {
        #expect(hex(item.encoded) == encoded)
        #expect(try RLP(decoding: hex(encoded)) == item)
    }

    @Test(
        "strings and lists at the edges of each form of length come back",
        arguments: [0, 1, 2, 55, 56, 255, 256, 65_536])
    func edges(_ count: Int) throws {
        let string = RLP.bytes([UInt8](repeating: 0x80, count: count))
        #expect(try RLP(decoding: string.encoded) == string)
        let list = RLP.list([RLP](repeating: .bytes([1]), count: min(count, 60_000)))
        #expect(try RLP(decoding: list.encoded) == list)
    }

    @Test(
        "an encoding that has a shorter form is refused",
        arguments: [
            "8100", "817f", "c28101", "b800", "b801ff", "b837" + String(repeating: "ff", count: 55), "f800",
            "f803112233", "b90038" + String(repeating: "ff", count: 56), "b90000", "fb00000040",
        ])
    func notCanonical(_ text: String) {
        #expect(throws: EncodingError.notCanonical) { try RLP(decoding: hex(text)) }
    }

    @Test(
        "a truncated encoding is refused, also inside a list",
        arguments: [
            "", "81", "83646f", "b838", "b9", "b901", "c1", "c28363", "c3836361c0", "bfffffffffffffffff",
            "ffffffffffffffffff", "bf7fffffffffffffff", "f90180",
        ])
    func truncated(_ text: String) {
        #expect(throws: EncodingError.truncated) { try RLP(decoding: hex(text)) }
    }

    @Test("bytes after the item are refused")
    func leftOver() {
        #expect(throws: EncodingError.leftOver(count: 1)) { try RLP(decoding: hex("8000")) }
        #expect(throws: EncodingError.leftOver(count: 2)) { try RLP(decoding: hex("c08080")) }
    }

    @Test("more bytes, items or levels than the limits allow are refused")
    func limits() throws {
        #expect(throws: EncodingError.tooLong(limit: 3)) { try RLP(decoding: hex("83646f67"), limit: 3) }
        let many = RLP.list([RLP](repeating: .bytes([]), count: EncodingLimits.rlpItems))
        #expect(throws: EncodingError.tooLong(limit: EncodingLimits.rlpItems)) { try RLP(decoding: many.encoded) }
        var deep = RLP.bytes([])
        for _ in 0..<EncodingLimits.rlpDepth { deep = .list([deep]) }
        #expect(try RLP(decoding: deep.encoded) == deep)
        deep = .list([deep])
        #expect(throws: EncodingError.tooDeep(limit: EncodingLimits.rlpDepth)) { try RLP(decoding: deep.encoded) }
    }

    @Test("integers have no leading zeros, fit, and are not lists")
    func integers() throws {
        for value in [0, 1, 127, 128, 255, 256, UInt64.max] { #expect(try RLP(value).integer() == value) }
        #expect(throws: EncodingError.notCanonical) { try RLP.bytes([0]).integer() }
        #expect(throws: EncodingError.notCanonical) { try RLP.bytes([0, 1]).integer() }
        #expect(throws: EncodingError.tooLong(limit: 8)) { try RLP.bytes([UInt8](repeating: 1, count: 9)).integer() }
        #expect(throws: EncodingError.tooLong(limit: 2)) { try RLP.bytes([1, 2, 3]).integerBytes(upTo: 2) }
        #expect(throws: EncodingError.unsupported) { try RLP.list([]).integer() }
        #expect(RLP.list([]).bytes == nil && RLP.bytes([]).list == nil)
    }

    @Test("mutated items are refused, or encode to the same bytes")
    func fuzz() {
        let long = RLP.list([.bytes([UInt8](repeating: 7, count: 60)), .list([RLP(1), RLP(1 << 40)])])
        Fuzz.roundTrips(
            of: Self.examples.map { hex($0.0) } + [long.encoded], decode: { try RLP(decoding: $0) },
            encode: { $0.encoded })
    }
}

@Suite("RLP: ethereum/tests")
struct RLPVectorTests {
    @Test("valid vectors are encoded as published, and decoded again")
    func valid() throws {
        let file = try Vectors.json("ethereum/rlp")
        for test in try file["valid"].array(of: 28) {
            let (item, name) = (try item(test["item"]), try test["name"].string)
            #expect(try item.encoded == test["bytes"].bytes, "\(name)")
            #expect(try RLP(decoding: try test["bytes"].bytes) == item, "\(name)")
        }
        for test in try file["random"].array(of: 1) {
            #expect(try RLP(decoding: try test["bytes"].bytes).encoded == test["bytes"].bytes)
        }
    }

    @Test("invalid vectors are refused")
    func invalid() throws {
        for test in try Vectors.json("ethereum/rlp")["invalid"].array(of: 26) {
            let (bytes, name) = (try test["bytes"].bytes, try test["name"].string)
            #expect(throws: EncodingError.self, "\(name)") { try RLP(decoding: bytes) }
        }
    }

    private func item(_ value: TestSupport.JSON) throws -> RLP {
        switch value {
        case .integer(let number): return RLP(UInt64(number))
        case .string(let text) where text.hasPrefix("#"):
            // A decimal number, here of up to 33 bytes.
            var bytes: [UInt8] = []
            for digit in text.utf8.dropFirst() {
                var carry = Int(digit) - 48
                for index in bytes.indices.reversed() {
                    carry += Int(bytes[index]) * 10
                    bytes[index] = UInt8(carry & 255)
                    carry >>= 8
                }
                if carry > 0 { bytes.insert(UInt8(carry), at: 0) }
            }
            return .bytes(bytes)
        case .string: return .bytes(try value.bytes)
        case .list(let values): return .list(try values.map { try item($0) })
        default: throw Unequal(description: "no item: \(value)")
        }
    }
}
