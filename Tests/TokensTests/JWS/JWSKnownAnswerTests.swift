import Encoding
import Secrets
import TestSupport
import Testing
import Tokens

@Suite("ES256: published examples")
struct JWSKnownAnswerTests {
    static let key: JSON = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    static let text =
        "eyJhbGciOiJFUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test("the example of RFC 7515, appendix A.3, verifies")
    func example() throws {
        let jws = try CompactJWS(parsing: Self.text, type: nil, limit: 1_000)
        let payload = try jws.verified(by: try PublicJWK(Self.key))
        let expected = "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"
        #expect(String(decoding: payload, as: UTF8.self) == expected)
    }

    @Test("the private key of that example has its public key, and the published thumbprint")
    func privateKey() throws {
        var bytes = try Base64URL.decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")
        let key = try SigningKey(importing: SecretBytes(moving: &bytes))
        #expect(key.publicKey.json == (try PublicJWK(Self.key)).json)
        #expect(key.publicKey == (try PublicJWK(Self.key)))
        // SHA-256 of {"crv":"P-256","kty":"EC","x":"f83O…","y":"x_FE…"}, by Python's hashlib.
        #expect(key.publicKey.thumbprint.description == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
        let again = CompactJWS.sign(header: ["alg": "ES256"], payload: Array("x".utf8), by: key)
        let jws = try CompactJWS(parsing: again, type: nil, limit: 1_000)
        #expect(try jws.verified(by: try PublicJWK(Self.key)) == Array("x".utf8))
    }

    @Test("a changed bit in any part of the example is refused")
    func everyBit() throws {
        let key = try PublicJWK(Self.key)
        let bytes = Array(Self.text.utf8)
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                guard let text = String(validating: changed, as: UTF8.self) else { continue }
                #expect(throws: TokensError.self, "byte \(position), bit \(bit)") {
                    try CompactJWS(parsing: text, type: nil, limit: 1_000).verified(by: key)
                }
            }
        }
    }
}
