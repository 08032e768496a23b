internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Hashes")
struct HashTests {
    @Test(
        "RIPEMD-160: its authors' answers",
        arguments: [
            ("", "9c1185a5c5e9fc54612808977ee8f548b2258d31"),
            ("a", "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe"),
            ("abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
            ("message digest", "5d0689ef49d2fae572b881b123a85ffa21595f36"),
            ("abcdefghijklmnopqrstuvwxyz", "f71c27109c692c1b56bbdceb5b9d2865b3708dbc"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "12a053384a9c0c88e405a06c27dcf49ada62eb2b"
            ),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "b0e20b6e3116640286ed3a87a5713079b21f5189"
            ),
            (String(repeating: "1234567890", count: 8), "9b752e45573d4b39f4dbd3323cab82bf63326bfb"),
        ])
    func ripemd160(_ text: String, _ hash: String) {
        #expect(hex(RIPEMD160.hash(Array(text.utf8))) == hash)
    }

    @Test("RIPEMD-160 of a million times a")
    func ripemd160Long() {
        let million = [UInt8](repeating: 0x61, count: 1_000_000)
        #expect(hex(RIPEMD160.hash(million)) == "52783243c1697bdbe16d37f97f68f08325dc1528")
    }

    @Test("SHA-256 and SHA-512 of abc, as FIPS 180-4 gives them")
    func sha() {
        #expect(
            hex(SHA256.hash(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex(SHA512.hash(Array("abc".utf8)))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    @Test("BLAKE2b-512: RFC 7693, appendix A, an empty input, and input in parts")
    func blake2b() {
        #expect(
            hex(BLAKE2b.hash(Array("abc".utf8)))
                == "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923")
        #expect(
            hex(BLAKE2b.hash([]))
                == "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
                + "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce")
        let bytes = SeededRandom(seed: 4).publicBytes(count: 1_000)
        var hasher = BLAKE2b()
        for size in [1, 127, 128, 129, 500] {
            for start in stride(from: 0, to: bytes.count, by: size) {
                let copy = hasher
                hasher.update(bytes[start..<min(start + size, bytes.count)])
                // A copy has a state of its own.
                var other = copy
                other.update(bytes)
            }
            #expect(hasher.finalize() == BLAKE2b.hash(bytes))
        }
    }

    @Test("input in parts of any kind hashes like the whole, and the hasher starts again")
    func parts() {
        let bytes = SeededRandom(seed: 3).publicBytes(count: 300)
        var secretPart = Array(bytes[100..<200])
        let secret = SecretBytes(moving: &secretPart)
        var short = SHA256()
        var long = SHA512()
        for _ in 0..<2 {
            short.update(bytes[..<100])
            short.update(secret)
            bytes[200...].withUnsafeBytes { short.update($0) }
            #expect(short.finalize() == SHA256.hash(bytes))
            long.update(bytes[..<100])
            long.update(secret)
            bytes[200...].withUnsafeBytes { long.update($0) }
            #expect(long.finalize() == SHA512.hash(bytes))
        }
        short.update(bytes)
        #expect(short.finalizeSecret().withUnsafeBytes { Array($0) } == SHA256.hash(bytes))
        #expect(SHA256.hash(AnyCollection(bytes)) == SHA256.hash(bytes))
        #expect(hex(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("a hasher with a common prefix hashes it with any number of endings")
    func endings() {
        var hasher = SHA256()
        let beginning = [UInt8](repeating: 7, count: 64)
        hasher.update(beginning)
        for size in 0..<130 {
            let ending = [UInt8](repeating: UInt8(size), count: size)
            var hash = [UInt8](repeating: 0, count: 32)
            ending.withUnsafeBytes { hasher.finalize(with: $0, into: &hash) }
            #expect(hash == SHA256.hash(beginning + ending))
        }
        #expect(hasher.finalize() == SHA256.hash(beginning))
    }

    @Test("HMAC-SHA-512: RFC 4231, cases 1 and 6, and an empty key")
    func hmac() {
        #expect(
            hex(HMACSHA512.code(key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8)))
                == "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854")
        #expect(
            hex(
                HMACSHA512.code(
                    key: [UInt8](repeating: 0xaa, count: 131),
                    message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)))
                == "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598")
        #expect(
            hex(HMACSHA512.code(key: [], message: []))
                == "b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac673"
                + "0c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47")
    }

    @Test("the HASH160 of the generator's encoding matches the well-known answer")
    func hash160() {
        #expect(hex(Hash160.hash(Secp256k1.Point.generator.encoded)) == "751e76e8199196d454941c45d1b3a323f1433bd6")
    }
}
