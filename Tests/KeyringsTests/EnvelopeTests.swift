internal import Encoding
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

@Suite("Keyrings: the envelope of an item")
struct EnvelopeTests {
    private func encoded(_ content: String = "secret", _ attributes: ItemAttributes = .critical(.seed)) throws
        -> [UInt8]
    {
        exposed(ItemEnvelope(secret(content), as: try name("account"), attributes: attributes).encoded)
    }

    private func exposed(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    /// Decodes a text with the guarded decoder.
    private func decode64(_ text: [UInt8]) -> [UInt8]? {
        text.withUnsafeBytes { text in
            guard let bytes = GuardedBase64.decode(text) else { return nil }
            return exposed(bytes)
        }
    }

    private func decode(_ bytes: [UInt8], as name: ItemName? = nil) throws -> String? {
        let name = try name ?? SecretStoreTestSupport.name("account")
        return try bytes.withUnsafeBytes { bytes in
            text(try ItemEnvelope(decoding: bytes, as: name, upTo: 1024).opened())
        }
    }

    /// Puts the right checksum at the end, so that the check behind it is reached.
    private func summed(_ bytes: [UInt8]) -> [UInt8] {
        let covered = Array(bytes.dropLast(4))
        return covered + covered.withUnsafeBytes { Checksum.bytes(of: $0) }
    }

    @Test("the bytes of version 1 are those of docs/formats/secret-service.md")
    func golden() throws {
        let expected =
            "4675656b6949746d" + "01" + "01020104" + "0474657374" + "076163636f756e74" + "00000006" + "736563726574"
        let bytes = try encoded()
        #expect(hex(bytes.dropLast(4)) == expected)
        #expect(hex(bytes.suffix(4)) == "5b53263a")
        #expect(try decode(bytes) == "secret")
        #expect(
            envelopeText("secret", as: try name("account"), .critical(.seed))
                == "RnVla2lJdG0BAQIBBAR0ZXN0B2FjY291bnQAAAAGc2VjcmV0W1MmOg==")
    }

    @Test("the checksum is the CRC-32 of zlib")
    func checksum() {
        // The check value that catalogues of checksums give for the digits 1 to 9.
        #expect(Array("123456789".utf8).withUnsafeBytes { Checksum.bytes(of: $0) } == [0xcb, 0xf4, 0x39, 0x26])
        #expect([UInt8]().withUnsafeBytes { Checksum.bytes(of: $0) } == [0, 0, 0, 0])
    }

    @Test("every bit that is changed, and every byte that is missing or added, is noticed")
    func changes() throws {
        let bytes = try encoded()
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                #expect(throws: SecureStorageError.self) { try decode(changed) }
            }
            #expect(throws: SecureStorageError.self) { try decode(Array(bytes.prefix(position))) }
        }
        #expect(throws: SecureStorageError.damaged) { try decode(bytes + [0]) }
    }

    @Test("other bytes, a later version, a wrong size and another name have errors of their own")
    func errors() throws {
        let bytes = try encoded()
        for other in [
            [], Array("hunter2".utf8), Array("FuekiIt".utf8), Array("FuekiItm".utf8), [UInt8](repeating: 0, count: 99),
        ] {
            #expect(throws: SecureStorageError.wrongKind) { try decode(other) }
        }
        var later = bytes
        later[8] = 2
        #expect(throws: SecureStorageError.unsupportedVersion(2)) { try decode(later) }
        #expect(throws: SecureStorageError.itemSwapped) { try decode(bytes, as: try name("other")) }
        #expect(throws: SecureStorageError.itemSwapped) { try decode(bytes, as: try name("account", in: "other")) }
        #expect(throws: SecureStorageError.damaged) { try decode(Array("FuekiItm".utf8) + [1]) }
    }

    @Test(
        "with a right checksum, every field is still checked",
        arguments: [
            // Version of the attributes, kind, class, accessibility; a forbidden pair; size too small, too large; the
            // length of a name; a space in a name; a byte that is not UTF-8.
            (9, UInt8(2)), (10, 99), (11, 0), (12, 6), (12, 5), (28, 1), (29, 5), (29, 7), (13, 5), (14, 0x20),
            (14, 0xff), (18, 0), (18, 255),
        ])
    func fields(_ position: Int, _ value: UInt8) throws {
        var bytes = try encoded()
        bytes[position] = value
        #expect(throws: SecureStorageError.damaged) { try decode(summed(bytes)) }
    }

    @Test("an empty secret, and one above the limit, are refused")
    func sizes() throws {
        #expect(throws: SecureStorageError.damaged) { try decode(try encoded("")) }
        #expect(try decode(try encoded(String(repeating: "x", count: 1024)))?.count == 1024)
        #expect(throws: SecureStorageError.damaged) { try decode(try encoded(String(repeating: "x", count: 1025))) }
        #expect(throws: SecureStorageError.damaged) { try decode(try encoded(String(repeating: "x", count: 4096))) }
    }

    @Test("the guarded Base64 gives the texts of the ordinary one")
    func base64() {
        let random = SeededRandom(seed: 9)
        for size in 1...200 {
            let bytes = SecretBytes(count: size, from: random)
            let text = GuardedBase64.encode(bytes)
            #expect(String(decoding: exposed(text), as: UTF8.self) == Base64.encode(exposed(bytes)))
            #expect(decode64(exposed(text)) == exposed(bytes))
        }
    }

    @Test("the guarded Base64 refuses what the ordinary one refuses")
    func strictBase64() {
        let texts = [
            "", "A", "AA", "AAA", "AAA=A", "A===", "====", "AA=A", "AAAA=", "AAAA====", "AB==", "AAB=", "AA-_", "AA A",
            "AAA\n", "AA==AAAA", "=AAA", "AÄA",
        ]
        for text in texts {
            let isDecoded = decode64(Array(text.utf8)) != nil
            #expect(!isDecoded, "\(text)")
            // The ordinary decoder takes the empty text as no bytes.
            #expect((try? Base64.decode(text)) == nil || text.isEmpty, "\(text)")
        }
        for character in UInt8.min...255 {
            let text: [UInt8] = [0x41, character, 0x41, 0x41]
            let isDecoded = decode64(text) != nil
            let isAllowed = character < 128 && (try? Base64.decode(String(decoding: text, as: UTF8.self))) != nil
            #expect(isDecoded == isAllowed, "\(character)")
        }
    }

    @Test("mutated envelopes and texts are refused, or are what is encoded again")
    func fuzz() throws {
        let seeds = try [encoded(), encoded("", .sensitive(.other)), encoded(String(repeating: "x", count: 100))]
        Fuzz.mutations(of: seeds, iterations: 5000) { bytes in
            let bytes = summed(bytes.count > 4 ? bytes : bytes + [0, 0, 0, 0])
            bytes.withUnsafeBytes { raw in
                guard let envelope = try? ItemEnvelope(decoding: raw, upTo: 1024) else { return }
                #expect(exposed(envelope.encoded) == bytes)
            }
        }
        let texts = seeds.map { Array(Base64.encode($0).utf8) }
        Fuzz.mutations(of: texts, iterations: 5000) { characters in
            guard let bytes = decode64(characters) else { return }
            #expect(Array(Base64.encode(bytes).utf8) == characters)
        }
    }

    @Test("the description of a kernel key gives back its name, and other descriptions none")
    func descriptions() throws {
        let description = KeyDescription(prefix: "fueki")
        let item = try ItemName(service: "a:b", account: "c;d:e")
        #expect(description.text(of: item) == "fueki:3:a:b:c;d:e")
        #expect(description.name(in: "fueki:3:a:b:c;d:e") == item)
        for other in [
            "", "fueki", "fueki:", "fueki:3", "fueki:3:", "fueki:3:a:b", "fueki:3:a:b:", "fueki:03:a:b:c",
            "fueki:+3:a:b:c",
            "fueki:0::c", "fueki:-1:a:c", "fueki:9:a:b:c", "fueki:256:a:c", "fueki-x:3:a:b:c", "other:3:a:b:c",
            "fueki:1:a:ä", "fueki:1:ä:b", "fueki:99999999999999999999:a:b", "fueki:1: :b",
        ] {
            #expect(description.name(in: Substring(other)) == nil, "\(other)")
        }
    }
}
