internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import Encoding

@Suite("Base58Check")
struct Base58CheckTests {
    @Test(
        "known answers: the first address of Bitcoin, a key in import format, the extended key of BIP-32's first vector",
        arguments: [
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "00 62e907b15cbf27d5425399ebf6f0fb50ebb88f18"),
            (
                "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
                "80 0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d"
            ),
            (
                "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp"
                    + "6W1EGMcet8",
                """
                0488b21e000000000000000000873dff81c02f525623fd1fe5167eac3a55a049de3d314bb42ee227ffed37d508
                0339a36013301597daef41fbe593a02cc513d0b55527ec2df1050e2e8ff49c85c2
                """
            ),
            ("3QJmnh", ""),
        ])
    func knownAnswers(_ text: String, _ payload: String) throws {
        #expect(Base58Check.encode(hex(payload)) == text)
        #expect(try Base58Check.decode(text) == hex(payload))
    }

    @Test(
        "known answers of Base58 alone (draft-msporny-base58)",
        arguments: [
            ("2NEpo7TZRRrLZSi2U", Array("Hello World!".utf8)),
            (
                "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z",
                Array("The quick brown fox jumps over the lazy dog.".utf8)
            ),
            ("11233QC4", [0x00, 0x00, 0x28, 0x7f, 0xb4, 0xcd]),
        ])
    func base58(_ text: String, _ bytes: [UInt8]) throws {
        #expect(Base58.encode(bytes) == Array(text.utf8))
        #expect(try Base58.decode(text) == bytes)
    }

    @Test("any bytes survive encoding, also with leading zeros")
    func roundTrip() throws {
        let random = SeededRandom(seed: 5)
        for count in 0...EncodingLimits.base58CheckBytes {
            for zeros in [0, min(3, count), count] {
                let payload = [UInt8](repeating: 0, count: zeros) + random.publicBytes(count: count - zeros)
                #expect(try Base58Check.decode(Base58Check.encode(payload)) == payload)
            }
        }
    }

    /// Encodes a payload of any size like ``Base58Check/encode(_:)``.
    private static func encoded(_ payload: [UInt8]) -> String {
        let checksum = Digest.sha256(Digest.sha256(payload)).prefix(4)
        return String(decoding: Base58.encode(payload + checksum), as: UTF8.self)
    }

    @Test("encoding a payload that is too long to be decoded ends the process")
    func unreadable() async {
        #expect(Base58Check.encode([1, 2, 3]) == Self.encoded([1, 2, 3]))
        await #expect(processExitsWith: .failure) {
            _ = Base58Check.encode([UInt8](repeating: 1, count: EncodingLimits.base58CheckBytes + 1))
        }
    }

    @Test("the largest payload is decoded, and one byte more is refused, for any bytes", arguments: [0x00, 0xff])
    func limit(_ byte: UInt8) throws {
        let limit = EncodingLimits.base58CheckBytes
        let largest = [UInt8](repeating: byte, count: limit)
        #expect(try Base58Check.decode(Base58Check.encode(largest)) == largest)
        #expect(throws: EncodingError.tooLong(limit: limit)) {
            try Base58Check.decode(Self.encoded(largest + [byte]))
        }
        #expect(throws: EncodingError.tooLong(limit: 20)) {
            try Base58Check.decode(Base58Check.encode([UInt8](repeating: byte, count: 21)), limit: 20)
        }
    }

    @Test("a long text is refused before any work")
    func long() {
        #expect(throws: EncodingError.tooLong(limit: EncodingLimits.base58CheckBytes)) {
            try Base58Check.decode(String(repeating: "!", count: 10_000))
        }
    }

    @Test(
        "malformed text is refused",
        arguments: [
            ("", EncodingError.truncated), ("1", .truncated), ("111", .truncated), ("zzz", .truncated),
            ("1111", .badChecksum), ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", .badChecksum),
            ("A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", .badChecksum), ("11A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", .badChecksum),
            ("0A1zP", .badCharacter(offset: 0)), ("1O", .badCharacter(offset: 1)), ("1AI", .badCharacter(offset: 2)),
            ("1A1l", .badCharacter(offset: 3)), (" 1A", .badCharacter(offset: 0)), ("1é", .badCharacter(offset: 1)),
        ])
    func malformed(_ text: String, _ error: EncodingError) {
        #expect(throws: error) { try Base58Check.decode(text) }
    }

    @Test("accepted text is encoded to the same text")
    func fuzz() {
        let seeds = ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3QJmnh", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG"]
        Fuzz.roundTrips(
            of: seeds.map { Array($0.utf8) }, iterations: 3_000,
            decode: { try Base58Check.decode(text($0)) }, encode: { Array(Base58Check.encode($0).utf8) })
        // Without the checksum, which stops nearly all mutations.
        let accepted = Fuzz.roundTrips(
            of: (["", "1", "11233QC4"] + seeds).map { Array($0.utf8) }, iterations: 3_000,
            decode: { try Base58.decode(text($0)) }, encode: { Base58.encode($0) })
        #expect(accepted > 0.01)
    }

    @Test("SHA-256: known answers of FIPS 180-4, and one for the digests of 200 messages of 0 to 199 bytes")
    func digest() {
        #expect(
            hex(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(Digest.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex(Digest.sha256(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        let digests = (0..<200).flatMap { count in
            Digest.sha256((0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + count) })
        }
        // Computed with Python's hashlib.
        #expect(hex(Digest.sha256(digests)) == "8c7c9ff69da76fc28823a1cb97268672663e628e1ea955868b16db46bab0545d")
    }
}
