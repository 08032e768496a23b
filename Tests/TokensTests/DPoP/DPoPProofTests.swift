import Encoding
import Secrets
import TestSupport
import Testing
import Time

@testable import Tokens

/// Each step of RFC 9449 section 4.3: a proof that is right except for one part.
@Suite("Proofs of possession")
struct DPoPProofTests {
    let session: Session
    let signer: DPoPSigner
    let url: ProofURL
    let nonces: ProofNonces
    let access: AccessToken.Verified
    let accessText: String
    let header: JSON
    let claims: JSON

    init() throws {
        session = try Session()
        signer = DPoPSigner(key: session.device)
        url = try ProofURL("https://auth.example.com/api/auth/token/refresh")
        nonces = ProofNonces(secret: SecretBytes(count: 32, from: session.random), lifetime: .minutes(2))
        accessText = try session.token().signed(by: session.server)
        access = try session.verifier().verify(accessText, now: .noon)
        let proof = signer.proof(
            method: "POST", url: url, nonce: nonces.issue(now: .noon), accessToken: accessText, now: .noon,
            random: session.random)
        let decoded = try parts(of: proof)
        header = try JSON(decoding: decoded[0])
        claims = try JSON(decoding: decoded[1])
    }

    private func verify(
        _ text: String, timeliness: DPoPProof.Timeliness? = nil, presentation: DPoPProof.Presentation? = nil,
        now: Timestamp = .noon
    ) throws -> VerifiedProof {
        try DPoPProof.verify(
            text, method: "POST", url: url, presentedWith: presentation ?? .accessToken(access),
            timeliness: timeliness ?? .nonce(nonces), now: now)
    }

    /// Returns the proof with one claim changed, signed by its key.
    private func proof(_ name: String, _ value: JSON?) throws -> String {
        signedText(header, try claims.setting(name, to: value), by: session.device)
    }

    private func proof(header name: String, _ value: JSON?) throws -> String {
        signedText(try header.setting(name, to: value), claims, by: session.device)
    }

    @Test("a proof has the form of the RFC, and verifies")
    func form() throws {
        #expect(header.object?.names == ["typ", "alg", "jwk"])
        #expect(header["jwk"]?.object?.names == ["kty", "crv", "x", "y"])
        #expect(claims.object?.names == ["jti", "htm", "htu", "iat", "nonce", "ath"])
        let proof = try verify(signedText(header, claims, by: session.device))
        #expect(proof.thumbprint == session.device.publicKey.thumbprint)
        #expect(proof.thumbprint == signer.thumbprint)
        #expect(claims["jti"]?.string?.utf8.count == 22)
        let plain = signer.proof(
            method: "POST", url: url, nonce: nil, accessToken: nil, now: .noon, random: session.random)
        #expect(try JSON(decoding: try parts(of: plain)[1]).object?.names == ["jti", "htm", "htu", "iat"])
        #expect(try verify(plain, timeliness: .clock, presentation: .alone).thumbprint == signer.thumbprint)
        #expect(try JSON(decoding: try parts(of: plain)[1])["jti"] != claims["jti"])
    }

    @Test("a draft with an external signature gives a valid proof")
    func draft() throws {
        let draft = DPoPDraft(
            by: session.device.publicKey, method: "POST", url: url, nonce: nil, accessToken: nil, now: .noon,
            random: session.random)
        let proof = draft.proof(signature: session.device.signature(for: draft.signingInput))
        #expect(try verify(proof, timeliness: .clock, presentation: .alone).thumbprint == signer.thumbprint)
    }

    @Test("steps 4 and 5: another type or algorithm is refused; an access token is no proof")
    func type() throws {
        for type: JSON? in [nil, "JWT", "at+jwt", "DPoP+JWT", "application/dpop+jwt"] {
            #expect(throws: TokensError.wrongType) { try verify(try proof(header: "typ", type)) }
        }
        #expect(throws: TokensError.wrongType) { try verify(accessText) }
        for algorithm: JSON in ["none", "HS256", "ES384", "EdDSA"] {
            #expect(throws: TokensError.wrongAlgorithm) { try verify(try proof(header: "alg", algorithm)) }
        }
    }

    @Test("steps 6 and 7: the key in the header is public, on P-256, and made the signature")
    func key() throws {
        let jwk = session.device.publicKey.json
        #expect(throws: TokensError.malformed(.key)) { try verify(try proof(header: "jwk", nil)) }
        #expect(throws: TokensError.privateKey) { try verify(try proof(header: "jwk", try jwk.setting("d", to: "AA"))) }
        let octets: JSON = ["kty": "oct", "crv": "P-256"]
        #expect(throws: TokensError.unsupportedKey) { try verify(try proof(header: "jwk", octets)) }
        let other = SigningKey.seeded(50)
        #expect(throws: TokensError.badSignature) {
            try verify(try proof(header: "jwk", other.publicKey.json), presentation: .alone)
        }
        // Another key with its signature: a proof, but by another device than the token's.
        let theirs = signedText(try header.setting("jwk", to: other.publicKey.json), claims, by: other)
        #expect(throws: TokensError.wrongClaim(.confirmation)) { try verify(theirs) }
        #expect(try verify(theirs, presentation: .alone).thumbprint == other.publicKey.thumbprint)
        // References to keys in other places.
        for name in ["jku", "x5u", "x5c", "crit"] {
            #expect(throws: TokensError.forbiddenHeader) { try verify(try proof(header: name, ["x"])) }
        }
    }

    @Test("step 3: a jti of 1 to 128 bytes, a method, a URL and a time are required")
    func required() throws {
        let claims = [("jti", TokensError.Claim.identifier), ("htm", .method), ("htu", .url), ("iat", .issuedAt)]
        for (name, claim) in claims {
            for value: JSON? in [nil, .null, true, [], [:]] {
                #expect(throws: TokensError.wrongClaim(claim)) { try verify(try proof(name, value)) }
            }
        }
        #expect(throws: TokensError.wrongClaim(.issuedAt)) { try verify(try proof("iat", "1795262400")) }
        for count in [0, 129] {
            let identifier = JSON.string(String(repeating: "a", count: count))
            #expect(throws: TokensError.wrongClaim(.identifier)) { try verify(try proof("jti", identifier)) }
        }
        #expect(throws: Never.self) { try verify(try proof("jti", .string(String(repeating: "a", count: 128)))) }
        // 64 characters of two bytes, and one more.
        #expect(throws: Never.self) { try verify(try proof("jti", .string(String(repeating: "é", count: 64)))) }
        #expect(throws: TokensError.wrongClaim(.identifier)) {
            try verify(try proof("jti", .string(String(repeating: "é", count: 64) + "a")))
        }
    }

    @Test("steps 8 and 9: a proof for another method or URL is refused")
    func request() throws {
        for method: JSON in ["GET", "post", "POST ", ""] {
            #expect(throws: TokensError.wrongClaim(.method)) { try verify(try proof("htm", method)) }
        }
        for other: JSON in [
            "https://auth.example.com/api/auth/session", "http://auth.example.com/api/auth/token/refresh",
            "https://evil.example.com/api/auth/token/refresh", "/api/auth/token/refresh", "",
        ] {
            #expect(throws: TokensError.wrongClaim(.url)) { try verify(try proof("htu", other)) }
        }
        let same = "HTTPS://AUTH.example.com:443/api/auth/./token/refresh?a=b#c"
        #expect(throws: Never.self) { try verify(try proof("htu", .string(same))) }
    }

    @Test("step 10: a missing, old or foreign nonce is answered with a new one")
    func nonce() throws {
        let other = ProofNonces(secret: SecretBytes(count: 32, from: session.random), lifetime: .minutes(2))
        for value: JSON? in [
            nil, .null, "", 1, "x", .string(other.issue(now: .noon)), .string(nonces.issue(now: .noon + -241)),
        ] {
            #expect(throws: TokensError.nonceRequired) { try verify(try proof("nonce", value)) }
        }
        #expect(TokensError.nonceRequired.proofRefusal.rawValue == "use_dpop_nonce")
        #expect(TokensError.untimely.proofRefusal.rawValue == "invalid_dpop_proof")
        #expect(TokensError.badSignature.proofRefusal == .invalidProof)
    }

    @Test("step 11: with a nonce the client's clock may be wrong by 400 days")
    func wrongClock() throws {
        let bound: Int64 = 400 * 86_400
        for offset in [1 - bound, -86_400, 86_400, bound - 1] {
            #expect(throws: Never.self, "\(offset)") { try verify(try proof("iat", JSON(1_795_262_400 + offset))) }
        }
        for seconds: Int64 in [0, -1, 1_795_262_400 - bound - 1, 1_795_262_400 + bound + 1, .max, .min] {
            #expect(throws: TokensError.untimely, "\(seconds)") { try verify(try proof("iat", JSON(seconds))) }
        }
    }

    @Test("step 11: without a nonce a proof may be ten seconds ahead, and not sixty old")
    func window() throws {
        let seconds = Timestamp.noon.seconds
        for (offset, isAccepted) in [(Int64(-60), false), (-59, true), (0, true), (10, true), (11, false)] {
            let text = try proof("iat", JSON(seconds + offset))
            if isAccepted {
                #expect(throws: Never.self, "\(offset)") { try verify(text, timeliness: .clock) }
            } else {
                #expect(throws: TokensError.untimely, "\(offset)") { try verify(text, timeliness: .clock) }
            }
        }
        for far: Int64 in [.max, .min, 0] {
            #expect(throws: TokensError.untimely) { try verify(try proof("iat", JSON(far)), timeliness: .clock) }
        }
    }

    @Test("step 12: a proof for another access token, or for none, is refused")
    func accessToken() throws {
        let other = AccessToken.hash(of: try session.token().signed(by: session.server))
        for value: JSON? in [
            nil, .null, "", "x", .string(Base64URL.encode(other)), .string(Base64.encode(access.hash)),
        ] {
            #expect(throws: TokensError.wrongClaim(.accessTokenHash)) { try verify(try proof("ath", value)) }
        }
        // The token of another device, with this device's proof that names it.
        let stolen = try session.token(device: SigningKey.seeded(60)).signed(by: session.server)
        let verified = try session.verifier().verify(stolen, now: .noon)
        let text = signer.proof(
            method: "POST", url: url, nonce: nonces.issue(now: .noon), accessToken: stolen, now: .noon,
            random: session.random)
        #expect(throws: TokensError.wrongClaim(.confirmation)) {
            try verify(text, presentation: .accessToken(verified))
        }
    }

    @Test("every other error is found before the signature is verified, which costs the most")
    func signatureIsLast() throws {
        let unsigned = { (header: JSON, claims: JSON) in
            "\(Base64URL.encode(header.encoded)).\(Base64URL.encode(claims.encoded)).\(String(repeating: "A", count: 86))"
        }
        #expect(throws: TokensError.badSignature) { try verify(unsigned(header, claims)) }
        let faults: [(String, JSON?, TokensError)] = [
            ("jti", nil, .wrongClaim(.identifier)), ("iat", nil, .wrongClaim(.issuedAt)),
            ("htm", "GET", .wrongClaim(.method)), ("htu", "https://evil.example/", .wrongClaim(.url)),
            ("nonce", nil, .nonceRequired), ("nonce", "AAAA", .nonceRequired),
            ("ath", "x", .wrongClaim(.accessTokenHash)),
        ]
        for (name, value, error) in faults {
            #expect(throws: error, "\(name)") { try verify(unsigned(header, try claims.setting(name, to: value))) }
        }
        let other = try header.setting("jwk", to: SigningKey.seeded(50).publicKey.json)
        #expect(throws: TokensError.wrongClaim(.confirmation)) { try verify(unsigned(other, claims)) }
        #expect(throws: TokensError.untimely) {
            try verify(unsigned(header, try claims.setting("iat", to: 0)), timeliness: .clock)
        }
        let unverified = try DPoPProof.read(
            unsigned(header, claims), method: "POST", url: url, presentedWith: .accessToken(access),
            timeliness: .nonce(nonces), now: .noon)
        #expect(unverified.uncheckedThumbprint == signer.thumbprint)
        #expect(throws: TokensError.badSignature) { try unverified.verified() }
    }

    @Test("a replay has the same value, whatever else was changed; another jti, URL or key has another")
    func replayValue() throws {
        let value = try verify(try proof("jti", "a")).replayValue
        #expect(value.count == 32)
        // A second signature, another time, a URL in another notation: the same proof.
        #expect(try verify(try proof("jti", "a")).replayValue == value)
        let later = try claims.setting("jti", to: "a").setting("iat", to: 1_795_262_405)
            .setting("htu", to: .string(url.description + "?x"))
        #expect(try verify(signedText(header, later, by: session.device)).replayValue == value)
        #expect(try verify(try proof("jti", "b")).replayValue != value)
        let other = SigningKey.seeded(50)
        let theirs = signedText(
            try header.setting("jwk", to: other.publicKey.json), try claims.setting("jti", to: "a"), by: other)
        #expect(try verify(theirs, presentation: .alone).replayValue != value)
        let elsewhere = try DPoPProof.verify(
            try proof("jti", "a"), method: "POST", url: url, presentedWith: .alone, timeliness: .nonce(nonces),
            now: .noon)
        #expect(elsewhere.replayValue == value)
        let secondURL = try ProofURL("https://auth.example.com/b")
        let second = signedText(
            header, try claims.setting("jti", to: "a").setting("htu", to: "https://auth.example.com/b"),
            by: session.device)
        let verified = try DPoPProof.verify(
            second, method: "POST", url: secondURL, presentedWith: .alone, timeliness: .nonce(nonces), now: .noon)
        #expect(verified.replayValue != value)
    }

    @Test("golden: the replay value, computed by Python")
    func goldenReplayValue() throws {
        let verified = try DPoPProof.verify(
            DPoPKnownAnswerTests.proof, method: "POST", url: try ProofURL("https://server.example.com/token"),
            presentedWith: .alone, timeliness: .clock, now: Timestamp(seconds: 1_562_262_616))
        #expect(hex(verified.replayValue) == "6715e5a4e5e5a944a0410937ed5ff06a253c88708f0b0f78fad27b0328829cbd")
    }

    @Test("once a replay value is removed, no replica accepts the proof, even if its clock is a minute behind")
    func keepUntil() throws {
        let random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            let now = Timestamp.noon.adding(Timestamp.Span(milliseconds: Int64(random.below(86_400_000))))
            let nonces = ProofNonces(
                secret: SecretBytes(count: 32, from: random), lifetime: .seconds(Int64(1 + random.below(600))))
            // The server's clock at the acceptance of the proof may be anywhere in the nonce's lifetime.
            let issued = now.adding(Timestamp.Span(milliseconds: -Int64(random.below(60_000))))
            let iat = now.seconds + Int64(random.below(70)) - 59
            let claims = try claims.setting("nonce", to: .string(nonces.issue(now: issued))).setting(
                "iat", to: JSON(iat))
            let text = signedText(header, claims, by: session.device)
            for timeliness in [DPoPProof.Timeliness.nonce(nonces), .clock] {
                guard let proof = try? verify(text, timeliness: timeliness, now: now) else { continue }
                #expect(proof.keepUntil > now.adding(TokensLimits.replicaSkew))
                for later in [0, 1, 60_000, random.below(10_000_000)] {
                    let behind = proof.keepUntil.adding(Timestamp.Span(milliseconds: Int64(later)))
                        .adding(Timestamp.Span(milliseconds: -TokensLimits.replicaSkew.milliseconds))
                    #expect(throws: TokensError.self) { try verify(text, timeliness: timeliness, now: behind) }
                }
            }
        }
    }

    @Test("a proof longer than the limit is not parsed")
    func limit() throws {
        let text = try proof("x", .string(String(repeating: "a", count: 4_096)))
        #expect(throws: TokensError.tooLong(limit: TokensLimits.proofCharacters)) { try verify(text) }
    }

    @Test("a mutated proof does not verify as another")
    func fuzz() throws {
        let text = signedText(header, claims, by: session.device)
        let value = try verify(text)
        Fuzz.mutations(of: [Array(text.utf8)], iterations: 3_000) { bytes in
            guard let proof = try? verify(String(decoding: bytes, as: UTF8.self)) else { return }
            guard proof == value else { throw TokensError.badSignature }
        }
        // Mutated claims and headers with right signatures.
        Fuzz.mutations(of: [header.encoded + [0x0a] + claims.encoded], iterations: 2_000) { bytes in
            let halves = bytes.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
            guard let header = halves.first.flatMap({ try? JSON(decoding: $0) }) else { return }
            let text = CompactJWS.sign(header: header, payload: Array(halves.dropFirst().joined()), by: session.device)
            _ = try? verify(text)
        }
    }
}
