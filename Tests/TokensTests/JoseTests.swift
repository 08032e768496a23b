import Encoding
import Secrets
import TestSupport
import Testing
import Time

@testable import Tokens

/// joserfc, an independent implementation.
private enum Jose {
    struct Key: Decodable {
        let `private`: String
        let `public`: String
        let thumbprint: String
    }

    struct Token: Decodable {
        let header: String
        let claims: String
        let thumbprint: String?
    }

    static func key() throws -> Key { try Python.ask("jose.py", command: "key", [String: String]()) }

    static func sign(_ header: JSON, _ claims: JSON, by key: Key) throws -> String {
        try Python.ask(
            "jose.py", command: "sign", ["key": key.private, "header": header.text, "claims": claims.text])
    }

    static func ask<Answer: Decodable>(_ command: String, _ request: [String: String]) throws -> Answer {
        try Python.ask("jose.py", command: command, request)
    }
}

@Suite(
    "Another implementation reads our tokens, and we read its",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct JoseTests {
    let session: Session
    let url: ProofURL

    init() throws {
        session = try Session()
        url = try ProofURL("https://auth.example.com/api/auth/session")
    }

    @Test("it verifies access tokens with the published key set")
    func ourAccessToken() throws {
        let token = try session.token()
        let set = try VerificationKeys(
            current: SigningKey.seeded(30).publicKey, next: [], retired: [session.server.publicKey])
        let read: Jose.Token = try Jose.ask(
            "read_set",
            ["key": String(decoding: set.document, as: UTF8.self), "token": token.signed(by: session.server)])
        let claims = try JSON(decoding: read.claims)
        #expect(claims["iss"]?.string == Session.issuer)
        #expect(claims["exp"]?.number?.integer() == token.expiresAt.seconds)
        #expect(try JSON(decoding: read.header)["typ"] == "at+jwt")
        // It is strict enough to detect it: the same token with a set that lacks the key.
        let other = try VerificationKeys(current: SigningKey.seeded(30).publicKey, next: [], retired: [])
        #expect(throws: (any Error).self) {
            let _: Jose.Token = try Jose.ask(
                "read_set",
                ["key": String(decoding: other.document, as: UTF8.self), "token": token.signed(by: session.server)])
        }
    }

    @Test("access tokens that it signed with our claims verify")
    func theirAccessToken() throws {
        let key = try Jose.key()
        let theirs = try PublicJWK(try JSON(decoding: key.public))
        #expect(theirs.thumbprint.description == key.thumbprint)
        let decoded = try parts(of: try session.token().signed(by: session.server))
        let header = try JSON(decoding: decoded[0]).setting("kid", to: .string(key.thumbprint))
        let text = try Jose.sign(header, try JSON(decoding: decoded[1]), by: key)
        let verifier = AccessToken.Verifier(
            issuer: Session.issuer, audience: Session.audience,
            keys: try VerificationKeys(current: theirs, next: [], retired: []))
        #expect(try verifier.verify(text, now: .noon).token.session == session.id)
        // Its private key is refused as a public one.
        #expect(throws: TokensError.privateKey) { try PublicJWK(try JSON(decoding: key.private)) }
    }

    @Test("it verifies our proofs, and computes the same thumbprint")
    func ourProof() throws {
        let text = DPoPSigner(key: session.device).proof(
            method: "GET", url: url, nonce: "n", accessToken: "a.b.c", now: .noon, random: session.random)
        let read: Jose.Token = try Jose.ask("proof", ["token": text])
        #expect(read.thumbprint == session.device.publicKey.thumbprint.description)
        let claims = try JSON(decoding: read.claims)
        #expect(claims["htm"] == "GET")
        #expect(claims["htu"]?.string == url.description)
        #expect(claims["iat"]?.number?.integer() == Timestamp.noon.seconds)
        #expect(claims["nonce"] == "n")
        // base64url(SHA-256("a.b.c")), by Python's hashlib.
        #expect(claims["ath"] == "hF4wRIgJ4ryJWOsCW_x5UjXROwd6U9DDq70jhRcNybg")
    }

    @Test("its proofs verify")
    func theirProof() throws {
        let key = try Jose.key()
        let header: JSON = ["typ": "dpop+jwt", "alg": "ES256", "jwk": try JSON(decoding: key.public)]
        let claims: JSON = [
            "jti": "7f9c2ba4", "htm": "GET", "htu": .string(url.description), "iat": JSON(Timestamp.noon.seconds),
        ]
        let proof = try DPoPProof.verify(
            try Jose.sign(header, claims, by: key), method: "GET", url: url, presentedWith: .alone,
            timeliness: .clock, now: .noon)
        #expect(proof.thumbprint.description == key.thumbprint)
    }

    @Test("signatures of many keys verify both ways")
    func manyKeys() throws {
        for seed in UInt64(100)..<104 {
            let key = SigningKey.seeded(seed)
            let claims: JSON = ["n": JSON(Int64(seed)), "text": "é 水 \u{1} \" \\"]
            let read: Jose.Token = try Jose.ask(
                "read", ["key": key.publicKey.json.text, "token": signedText(["alg": "ES256"], claims, by: key)])
            #expect(read.claims == claims.text)
            let theirs = try Jose.key()
            let text = try Jose.sign(["alg": "ES256"], claims, by: theirs)
            let jws = try CompactJWS(parsing: text, type: nil, limit: 2_000)
            #expect(try jws.verified(by: try PublicJWK(try JSON(decoding: theirs.public))) == claims.encoded)
        }
    }

    @Test("the stored successor opens with the redeemed token's random bytes")
    func successor() throws {
        let family = LoneClient(try RefreshFixture())
        let next = try family.token(for: family.first, at: .noon)
        let row = family.row.recent.encoded
        let opened: String = try Jose.ask(
            "successor",
            [
                "random": hex(Array(family.first.random)), "hash": hex(Array(row[1..<33])),
                "sealed": hex(Array(row[41...])),
            ])
        #expect(opened == hex(next.bytes))
    }
}
