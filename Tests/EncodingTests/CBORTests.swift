internal import Encoding
internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("CBOR")
struct CBORTests {
    private static func map(_ entries: [(CBOR, CBOR)]) -> CBOR {
        guard let map = try? CBOR.Map(entries) else { preconditionFailure("not a map: \(entries)") }
        return .map(map)
    }

    /// RFC 8949, appendix A: its deterministic examples with types that this module has.
    private static let examples: [(String, CBOR)] = [
        ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
        ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)), ("1903e8", .unsigned(1000)),
        ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
        ("1bffffffffffffffff", .unsigned(18_446_744_073_709_551_615)),
        ("3bffffffffffffffff", .negative(18_446_744_073_709_551_615)),
        ("20", CBOR(-1)), ("29", CBOR(-10)), ("3863", CBOR(-100)), ("3903e7", CBOR(-1000)),
        ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
        ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
        ("60", .text("")), ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")),
        ("62c3bc", .text("\u{fc}")), ("63e6b0b4", .text("\u{6c34}")), ("64f0908591", .text("\u{10151}")),
        ("80", .array([])), ("83010203", .array([CBOR(1), CBOR(2), CBOR(3)])),
        ("8301820203820405", .array([CBOR(1), .array([CBOR(2), CBOR(3)]), .array([CBOR(4), CBOR(5)])])),
        (
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
            .array((1...25).map { CBOR($0) })
        ),
        ("a0", map([])), ("a201020304", map([(CBOR(1), CBOR(2)), (CBOR(3), CBOR(4))])),
        ("a26161016162820203", map([(.text("a"), CBOR(1)), (.text("b"), .array([CBOR(2), CBOR(3)]))])),
        ("826161a161626163", .array([.text("a"), map([(.text("b"), .text("c"))])])),
        (
            "a56161614161626142616361436164614461656145",
            map(zip("abcde", "ABCDE").map { (.text(String($0.0)), .text(String($0.1))) })
        ),
    ]

    @Test("known answers of RFC 8949, appendix A", arguments: examples)
    func knownAnswers(_ encoded: String, _ value: CBOR) throws {
        #expect(hex(value.encoded) == encoded)
        #expect(try CBOR(decoding: hex(encoded)) == value)
    }

    @Test(
        "integers at the edges of each width",
        arguments: [23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, UInt64.max])
    func edges(_ value: UInt64) throws {
        for value in [CBOR.unsigned(value), .negative(value)] {
            #expect(try CBOR(decoding: value.encoded) == value)
        }
    }

    @Test("signed 64-bit integers survive encoding, and larger ones are distinguished")
    func integers() {
        for value in [0, 1, -1, Int64.max, Int64.min] { #expect(CBOR(value).integer == value) }
        #expect(CBOR.unsigned(1 << 63).integer == nil)
        #expect(CBOR.negative(1 << 63).integer == nil)
        #expect(CBOR.text("1").integer == nil)
    }

    @Test(
        "integers and lengths that are not the shortest are refused",
        arguments: [
            "1800", "1817", "190017", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3817", "3900ff", "3a0000ffff",
            "3b00000000ffffffff", "580100", "5900020000", "780161", "79000161", "980100", "b8010000",
        ])
    func notShortest(_ text: String) {
        #expect(throws: EncodingError.notCanonical) { try CBOR(decoding: hex(text)) }
    }

    @Test(
        "indefinite lengths, reserved lengths, tags, floating-point numbers and other simple values are refused",
        arguments: [
            "5f42010243030405ff", "7f61616161ff", "9fff", "bfff", "ff", "1f", "3f",
            "1c", "1d", "1e", "3c", "5d", "7e", "9c", "bd",
            "c001", "c11a514b67b0", "c249010000000000000000", "d74401020304", "d818456449455446",
            "f90000", "f97c00", "fa47c35000", "fb3ff199999999999a", "f7", "e0", "f0", "f3", "f8ff", "f820", "f814",
            "fc", "fe",
        ])
    func unsupported(_ text: String) {
        #expect(throws: EncodingError.unsupported) { try CBOR(decoding: hex(text)) }
    }

    @Test(
        "keys out of order, or twice, are refused",
        arguments: [
            "a203040102", "a201020103", "a2616201616102", "a2616101616102",
            // A longer text before a shorter one, a text before an integer, -1 before 100.
            "a262616101616202", "a26161010102", "a22001186402",
        ])
    func keyOrder(_ text: String) {
        #expect(throws: EncodingError.notCanonical) { try CBOR(decoding: hex(text)) }
    }

    @Test(
        "keys that are neither integers nor strings are refused", arguments: ["a18001", "a1a001", "a1f401", "a1f601"])
    func keyTypes(_ text: String) {
        #expect(throws: EncodingError.unsupported) { try CBOR(decoding: hex(text)) }
    }

    @Test("a map made in code is sorted, and refuses a repeated key")
    func map() throws {
        let map = try CBOR.Map([
            (.text("b"), .null), (CBOR(-1), .null), (CBOR(100), .null), (.bytes([1]), .null), (CBOR(7), .null),
        ])
        #expect(map.entries.map(\.key) == [CBOR(7), CBOR(100), CBOR(-1), .bytes([1]), .text("b")])
        #expect(hex(CBOR.map(map).encoded) == "a507f61864f620f64101f66162f6")
        #expect(throws: EncodingError.notCanonical) { try CBOR.Map([(CBOR(1), .null), (CBOR(1), .bool(true))]) }
        #expect(throws: EncodingError.unsupported) { try CBOR.Map([(.null, .null)]) }
        let value = CBOR.map(map)
        #expect(value["b"] == .null)
        #expect(value[-1] == .null)
        #expect(value["c"] == nil)
        #expect(value[8] == nil)
        #expect(CBOR.null["b"] == nil)
    }

    @Test("texts that look alike are different keys and different values")
    func lookAlikes() throws {
        let composed = "\u{e9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(CBOR.text(composed) != CBOR.text(decomposed))
        let map = CBOR.map(try CBOR.Map([(.text(composed), CBOR(1)), (.text(decomposed), CBOR(2))]))
        #expect(map[composed] == CBOR(1))
        #expect(map[decomposed] == CBOR(2))
        #expect(try CBOR(decoding: map.encoded) == map)
    }

    @Test(
        "text that is not UTF-8 is refused: a stray byte, an overlong form, a surrogate, more than Unicode has",
        arguments: ["61ff", "6180", "62c080", "63eda080", "64f4908080", "62c3ff", "61c3"])
    func notUTF8(_ text: String) {
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try CBOR(decoding: hex(text)) }
    }

    @Test("every proper prefix of a value is refused as truncated", arguments: examples)
    func truncated(_ encoded: String, _ value: CBOR) {
        for count in 0..<(encoded.utf8.count / 2) {
            #expect(throws: EncodingError.truncated) { try CBOR(decoding: hex(encoded).prefix(count)) }
        }
    }

    @Test(
        "lengths beyond the input are refused",
        arguments: [
            "5bffffffffffffffff", "5b7fffffffffffffff", "5a7fffffff00", "7bffffffffffffffff", "9bffffffffffffffff",
            "9a7fffffff00", "bbffffffffffffffff", "bb7fffffffffffffff", "ba7fffffff00", "8201", "a101", "4201",
            "a20102",
        ])
    func hugeLengths(_ text: String) {
        #expect(throws: EncodingError.truncated) { try CBOR(decoding: hex(text)) }
    }

    @Test("left-over bytes are refused, but stay for a caller that reads on")
    func leftOver() throws {
        #expect(throws: EncodingError.leftOver(count: 2)) { try CBOR(decoding: [0x01, 0x02, 0x03]) }
        var reader = try ByteReader([0x00, 0x01, 0x02, 0x03][1...], limit: 3)
        #expect(try CBOR(from: &reader) == CBOR(1))
        #expect(reader.offset == 1)
        #expect(try CBOR(from: &reader) == CBOR(2))
        #expect(reader.remaining == 1)
    }

    @Test("arrays and maps are nested up to the limit, and not deeper")
    func depth() throws {
        let limit = EncodingLimits.cborDepth
        for (head, empty) in [([0x81], 0x80), ([0xa1, 0x00], 0xa0)] as [([UInt8], UInt8)] {
            func nested(_ depth: Int) -> [UInt8] { (0..<depth).flatMap { _ in head } + [empty] }
            let deepest = try CBOR(decoding: nested(limit))
            #expect(deepest.encoded == nested(limit))
            #expect(throws: EncodingError.tooDeep(limit: limit)) { try CBOR(decoding: nested(limit + 1)) }
            #expect(throws: EncodingError.tooDeep(limit: limit)) { try CBOR(decoding: nested(30_000)) }
        }
    }

    @Test("the number of items is limited")
    func items() throws {
        let limit = EncodingLimits.cborItems
        let most = CBOR.array([CBOR](repeating: .null, count: limit - 1))
        #expect(try CBOR(decoding: most.encoded) == most)
        let more = CBOR.array([.array([]), .array([CBOR](repeating: .null, count: limit - 2))])
        #expect(throws: EncodingError.tooLong(limit: limit)) { try CBOR(decoding: more.encoded) }
    }

    @Test("the number of bytes is limited")
    func size() throws {
        #expect(try CBOR(decoding: [0x41, 0x00], limit: 2) == .bytes([0]))
        #expect(throws: EncodingError.tooLong(limit: 1)) { try CBOR(decoding: [0x41, 0x00], limit: 1) }
        let large = CBOR.bytes([UInt8](repeating: 0, count: EncodingLimits.cborBytes)).encoded
        #expect(throws: EncodingError.tooLong(limit: EncodingLimits.cborBytes)) { try CBOR(decoding: large) }
        #expect(try CBOR(decoding: large, limit: large.count).encoded == large)
    }

    @Test("an accepted input encodes to the same bytes")
    func fuzz() {
        let accepted = Fuzz.roundTrips(
            of: Self.examples.map { hex($0.0) }, decode: { try CBOR(decoding: $0) }, encode: { $0.encoded })
        #expect(accepted > 0.05)
    }

    @Test("random values survive encoding")
    func property() throws {
        let random = SeededRandom(seed: 8)
        for _ in 0..<500 {
            let value = Self.value(random, depth: 0)
            #expect(try CBOR(decoding: value.encoded) == value, "seed \(random.seed)")
        }
    }

    private static func value(_ random: SeededRandom, depth: Int) -> CBOR {
        let number = random.next() >> UInt64(random.below(64))
        let count = random.below(4)
        switch random.below(depth < 4 ? 8 : 6) {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes(random.publicBytes(count: random.below(300)))
        case 3: return .text(String((0..<count).map { _ in ["a", "é", "水", "🂡"][random.below(4)] }))
        case 4: return .bool(number % 2 == 0)
        case 5: return .null
        case 6: return .array((0..<count).map { _ in value(random, depth: depth + 1) })
        default: return map((0..<count).map { (.unsigned(UInt64($0) * 700), value(random, depth: depth + 1)) })
        }
    }
}

/// Attestations of real and published authenticators, which write this form of CBOR.
@Suite("CBOR in attestations")
struct CBORVectorTests {
    @Test("the attestation objects of WebAuthn, section 16, and their public keys encode to the same bytes")
    func webAuthn() throws {
        for vector in try Vectors.json("webauthn")["ceremonies"].array(of: 15) {
            let bytes = try vector["registration"]["attestation_object"].bytes
            let object = try CBOR(decoding: bytes)
            #expect(object.encoded == bytes)
            guard case .bytes(let data)? = object["authData"] else {
                Issue.record("no authenticator data")
                continue
            }
            // WebAuthn section 6.1: 37 bytes, 16 of the AAGUID, the length of the credential's id, the id, the key.
            var reader = try ByteReader(data, limit: data.count)
            _ = try reader.bytes(53)
            _ = try reader.bytes(Int(reader.bigEndian(UInt16.self)))
            let start = reader.offset
            let key = try CBOR(from: &reader)
            #expect(key.encoded == Array(data[start..<reader.offset]))
            #expect(key[1]?.integer != nil)
        }
    }

    @Test("the attestations and assertions of iOS encode to the same bytes")
    func appAttest() throws {
        for test in try Vectors.json("appattest").array(of: 14) {
            let bytes = try Base64.decode(try test["object"].string)
            #expect(try CBOR(decoding: bytes).encoded == bytes)
        }
    }
}
