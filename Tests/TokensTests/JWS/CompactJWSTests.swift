import Crypto
import Encoding
import Secrets
import TestSupport
import Testing

@testable import Tokens

@Suite("Compact JWS")
struct CompactJWSTests {
    let key = SigningKey.seeded(1)
    let header: JSON = ["alg": "ES256", "typ": "at+jwt"]
    let claims: JSON = ["sub": "somebody"]

    private func parse(_ text: String) throws -> CompactJWS {
        try CompactJWS(parsing: text, type: "at+jwt", limit: 2_000)
    }

    private func signed(_ header: JSON) -> String { signedText(header, claims, by: key) }

    /// Returns three texts joined by dots, encoded or not.
    private static func joined(_ parts: [UInt8]...) -> String {
        parts.map { Base64URL.encode($0) }.joined(separator: ".")
    }

    @Test("the payload is read as it was signed")
    func roundTrip() throws {
        let jws = try parse(signed(header))
        #expect(jws.header.names == ["alg", "typ"])
        #expect(try jws.verified(by: key.publicKey) == claims.encoded)
        #expect(throws: TokensError.badSignature) { try jws.verified(by: SigningKey.seeded(2).publicKey) }
    }

    @Test(
        "an algorithm that is not ES256 is refused, however it is written",
        arguments: [
            "none", "None", "NONE", "nOnE", "HS256", "ES384", "ES512", "ES256K", "EdDSA", "RS256", "es256", "",
            "ES256 ",
        ])
    func algorithms(_ name: String) throws {
        #expect(throws: TokensError.wrongAlgorithm) {
            try parse(signed(try header.setting("alg", to: .string(name))))
        }
    }

    @Test("a missing algorithm, or one that is not text, is refused")
    func noAlgorithm() throws {
        for value: JSON? in [nil, .null, 256, ["ES256"], ["alg": "ES256"]] {
            #expect(throws: TokensError.wrongAlgorithm) { try parse(signed(try header.setting("alg", to: value))) }
        }
    }

    @Test("a token without a signature, or with an HMAC keyed by the public key, is refused")
    func noSignature() throws {
        let text = signed(header)
        let signedPart = text.split(separator: ".").prefix(2).joined(separator: ".")
        #expect(throws: TokensError.malformed(.signature)) { try parse(signedPart + ".") }
        #expect(throws: TokensError.malformed(.text)) { try parse(signedPart) }
        let none = Self.joined(Array(#"{"alg":"none","typ":"at+jwt"}"#.utf8), claims.encoded) + "."
        #expect(throws: TokensError.malformed(.signature)) { try parse(none) }
        // 32 bytes, as in an HMAC; and twice, so that the size is right.
        let pem = SymmetricKey(data: key.publicKey.coordinates)
        let code = Array(HMAC<SHA256>.authenticationCode(for: Array(signedPart.utf8), using: pem))
        #expect(throws: TokensError.malformed(.signature)) { try parse(signedPart + "." + Base64URL.encode(code)) }
        let hs = Self.joined(Array(#"{"alg":"HS256","typ":"at+jwt"}"#.utf8), claims.encoded, code + code)
        #expect(throws: TokensError.wrongAlgorithm) { try parse(hs) }
        #expect(throws: TokensError.badSignature) {
            try parse(signedPart + "." + Base64URL.encode(code + code)).verified(by: key.publicKey)
        }
    }

    @Test("signatures of zero, of the group's order, and in DER are refused")
    func trivialSignatures() throws {
        let parts = signed(header).split(separator: ".")
        let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let zero = [UInt8](repeating: 0, count: 32)
        let one = zero.dropLast() + [1]
        for signature in [zero + zero, order + order, zero + one, one + zero, order + one, one + order] {
            let jws = try parse("\(parts[0]).\(parts[1]).\(Base64URL.encode(Array(signature)))")
            #expect(throws: TokensError.badSignature) { try jws.verified(by: key.publicKey) }
        }
        let der = try P256.Signing.ECDSASignature(rawRepresentation: try Base64URL.decode(String(parts[2])))
            .derRepresentation
        #expect(throws: TokensError.malformed(.signature)) {
            try parse("\(parts[0]).\(parts[1]).\(Base64URL.encode(der))")
        }
    }

    @Test(
        "extensions, and keys that would have to be fetched or believed, are refused",
        arguments: ["crit", "b64", "jku", "x5u", "x5c", "x5t", "x5t#S256"])
    func forbidden(_ name: String) throws {
        for value: JSON in [["exp"], false, "https://evil.example.com/keys", .null] {
            #expect(throws: TokensError.forbiddenHeader) { try parse(signed(try header.setting(name, to: value))) }
        }
    }

    @Test("the type is the expected one, or absent if none is expected")
    func types() throws {
        #expect(throws: TokensError.wrongType) {
            try CompactJWS(parsing: signed(header), type: "dpop+jwt", limit: 2_000)
        }
        #expect(throws: TokensError.wrongType) { try CompactJWS(parsing: signed(header), type: nil, limit: 2_000) }
        #expect(throws: TokensError.wrongType) { try parse(signed(["alg": "ES256"])) }
        #expect(throws: TokensError.wrongType) { try parse(signed(try header.setting("typ", to: .null))) }
    }

    @Test("a header with a repeated name is refused: two readers would see two algorithms")
    func duplicates() throws {
        for text in [
            #"{"alg":"none","alg":"ES256","typ":"at+jwt"}"#, #"{"alg":"ES256","typ":"at+jwt","alg":"none"}"#,
            #"{"alg":"ES256","typ":"at+jwt","\u0061lg":"ES256"}"#,
        ] {
            let signed = Base64URL.encode(Array(text.utf8)) + "." + Base64URL.encode(claims.encoded)
            let signature = Base64URL.encode(key.signature(for: Array(signed.utf8)))
            #expect(throws: TokensError.malformed(.header)) { try parse(signed + "." + signature) }
        }
    }

    @Test("a header or claims that are not an object are refused, even if they are signed")
    func noObject() throws {
        for text in ["", "[]", "\"ES256\"", "null", "{", "{}x", "\u{feff}{}"] {
            let bad = Self.joined(Array(text.utf8), claims.encoded, [UInt8](repeating: 1, count: 64))
            #expect(throws: TokensError.malformed(.header)) { try parse(bad) }
            let payload = CompactJWS.sign(header: header, payload: Array(text.utf8), by: key)
            #expect(throws: TokensError.malformed(.payload)) { try parse(payload).uncheckedClaims() }
        }
        let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
        let payload = CompactJWS.sign(header: header, payload: Array("{\"a\":\(deep)}".utf8), by: key)
        #expect(throws: TokensError.malformed(.payload)) { try parse(payload).uncheckedClaims() }
    }

    @Test("two parts, four parts, and parts that are not canonical base64url are refused")
    func forms() throws {
        let text = signed(header)
        let parts = text.split(separator: ".").map(String.init)
        for bad in ["", ".", "..", "a", parts[0], "\(parts[0]).\(parts[1])"] {
            #expect(throws: TokensError.self) { try parse(bad) }
        }
        #expect(throws: TokensError.malformed(.signature)) { try parse(text + ".") }
        #expect(throws: TokensError.malformed(.signature)) { try parse(text + "." + parts[2]) }
        #expect(throws: TokensError.malformed(.signature)) { try parse(text + "=") }
        #expect(throws: TokensError.malformed(.signature)) { try parse(text + "A") }
        #expect(throws: TokensError.malformed(.signature)) { try parse(String(text.dropLast(2))) }
        #expect(throws: TokensError.malformed(.signature)) { try parse(text + "\n") }
        #expect(throws: TokensError.malformed(.header)) { try parse(" " + text) }
        #expect(throws: TokensError.malformed(.header)) { try parse(parts[0] + "==." + parts[1] + "." + parts[2]) }
        // The last character of 64 bytes has two significant bits.
        let last = try #require(text.last?.asciiValue)
        let odd = Character(UnicodeScalar(last + 1))
        #expect(throws: TokensError.malformed(.signature)) { try parse(text.dropLast() + String(odd)) }
        // A payload in the other alphabet, signed as it is written.
        let signedPart = parts[0] + ".+/=="
        let signature = Base64URL.encode(key.signature(for: Array(signedPart.utf8)))
        #expect(throws: TokensError.malformed(.payload)) {
            try parse(signedPart + "." + signature).verified(by: key.publicKey)
        }
    }

    @Test("a token of the longest size is read, and one character more is refused")
    func limit() throws {
        let text = signed(header)
        #expect(throws: Never.self) { try CompactJWS(parsing: text, type: "at+jwt", limit: text.utf8.count) }
        #expect(throws: TokensError.tooLong(limit: text.utf8.count - 1)) {
            try CompactJWS(parsing: text, type: "at+jwt", limit: text.utf8.count - 1)
        }
    }

    @Test("a mutated token does not verify")
    func fuzz() throws {
        let key = key.publicKey
        let text = signed(header)
        let payload = claims.encoded
        Fuzz.mutations(of: [Array(text.utf8)], iterations: 5_000) { bytes in
            let changed = String(decoding: bytes, as: UTF8.self)
            guard changed != text, let jws = try? CompactJWS(parsing: changed, type: "at+jwt", limit: 2_000) else {
                return
            }
            guard (try? jws.verified(by: key)) == nil else { throw TokensError.badSignature }
        }
        #expect(try parse(text).verified(by: key) == payload)
    }
}
