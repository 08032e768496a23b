import Encoding
import Secrets
import TestSupport
import Testing

@testable import Tokens

@Suite("Public keys as JWKs")
struct PublicJWKTests {
    let key = SigningKey.seeded(1).publicKey

    @Test("a key is read in its own form, and in others' with harmless additional members")
    func roundTrip() throws {
        #expect(try PublicJWK(key.json) == key)
        #expect(try PublicJWK(key.published) == key)
        // In the form in which Web Crypto exports a key.
        let exported = try key.json.setting("ext", to: true).setting("key_ops", to: ["verify"])
        #expect(try PublicJWK(exported) == key)
        #expect(try PublicJWK(exported).thumbprint == key.thumbprint)
        #expect(try PublicJWK(coordinates: key.coordinates) == key)
    }

    @Test("a private part is refused, whatever its value", arguments: ["d", "k", "p", "q", "dp", "dq", "qi", "oth"])
    func privateParts(_ name: String) throws {
        for value: JSON in ["jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI", "", .null] {
            #expect(throws: TokensError.privateKey) { try PublicJWK(try key.json.setting(name, to: value)) }
        }
    }

    @Test("another kind of key, curve or use is refused")
    func kinds() throws {
        let changes: [(String, JSON)] = [
            ("kty", "oct"), ("kty", "RSA"), ("kty", "OKP"), ("kty", "ec"), ("crv", "P-384"), ("crv", "secp256k1"),
            ("crv", "p-256"), ("use", "enc"), ("use", 1), ("alg", "ES384"), ("alg", "ECDH-ES"), ("key_ops", ["sign"]),
            ("key_ops", []), ("key_ops", "verify"),
        ]
        for (name, value) in changes {
            #expect(throws: TokensError.unsupportedKey, "\(name)") {
                try PublicJWK(try key.json.setting(name, to: value))
            }
        }
    }

    @Test("a missing member, or one that is not text, is refused", arguments: ["kty", "crv", "x", "y"])
    func members(_ name: String) throws {
        for value: JSON? in [nil, .null, 1, ["P-256"]] {
            #expect(throws: TokensError.malformed(.key)) { try PublicJWK(try key.json.setting(name, to: value)) }
        }
        #expect(throws: TokensError.malformed(.key)) { try PublicJWK("EC") }
        #expect(throws: TokensError.malformed(.key)) { try PublicJWK([]) }
    }

    @Test("a coordinate has 32 bytes, in base64url without padding", arguments: ["x", "y"])
    func coordinates(_ name: String) throws {
        let text = try #require(key.json[name]?.string)
        for bad in ["", "AA", String(text.dropLast()), text + "A", text + "=", "A" + text, "+" + text.dropFirst()] {
            #expect(throws: TokensError.malformed(.key)) {
                try PublicJWK(try key.json.setting(name, to: .string(bad)))
            }
        }
    }

    @Test("coordinates off the curve are refused: zero, the field's order, a point of another curve")
    func points() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        let field = hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        // The generator of secp256k1.
        let other = hex(
            "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
        let points: [[UInt8]] = [
            zero + zero, field + field, other, key.coordinates.reversed(), Array(key.coordinates.dropLast()) + [0],
        ]
        for bad in points {
            #expect(throws: TokensError.unsupportedKey) { try PublicJWK(coordinates: bad) }
        }
        for size in [0, 63, 65] {
            #expect(throws: TokensError.unsupportedKey) {
                try PublicJWK(coordinates: [UInt8](repeating: 4, count: size))
            }
        }
    }

    @Test("a thumbprint is 43 characters, and no other text")
    func thumbprints() throws {
        let text = key.thumbprint.description
        #expect(text.utf8.count == 43)
        #expect(try KeyThumbprint(text) == key.thumbprint)
        #expect(KeyThumbprint(bytes: key.thumbprint.bytes) == key.thumbprint)
        #expect(KeyThumbprint(bytes: [UInt8](repeating: 0, count: 31)) == nil)
        for bad in ["", String(text.dropLast()), text + "A", text + "=", "é" + text.dropFirst(2)] {
            #expect(throws: TokensError.malformed(.thumbprint)) { try KeyThumbprint(bad) }
        }
    }

    @Test("a private key is restored from its 32 bytes; zero and the group order are refused")
    func export() throws {
        let key = SigningKey.seeded(5)
        let again = try SigningKey(importing: key.exported())
        #expect(again.publicKey == key.publicKey)
        let isSame = again.exported().matches(key.exported())
        #expect(isSame)
        let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        for bad in [[UInt8](repeating: 0, count: 32), order, Array(order.dropLast()), order + [0]] {
            var bytes = bad
            let secret = SecretBytes(moving: &bytes)
            #expect(throws: TokensError.unsupportedKey) { try SigningKey(importing: secret) }
        }
    }

    @Test("a key is drawn again if the random bytes are not a private key")
    func drawnAgain() {
        // The first draw is the order of the group.
        let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let random = Draws([order, [UInt8](repeating: 7, count: 32)])
        let bytes = SigningKey(from: random).exported().withUnsafeBytes { Array($0) }
        #expect(bytes == [UInt8](repeating: 7, count: 32))
    }

    @Test("an accepted key has the same coordinates, and a changed key is not on the curve")
    func fuzz() {
        let seeds = [key.json.encoded, key.published.encoded]
        let coordinates = key.coordinates
        Fuzz.mutations(of: seeds, iterations: 5_000) { bytes in
            guard let json = try? JSON(decoding: bytes), let key = try? PublicJWK(json) else { return }
            guard key.coordinates == coordinates else { throw TokensError.unsupportedKey }
        }
    }
}

/// Returns given bytes, one draw after another.
private struct Draws: RandomSource {
    private let draws: [[UInt8]]
    private let counter = Counter()

    init(_ draws: [[UInt8]]) { self.draws = draws }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.copyBytes(from: draws[counter.next()]) }
}
