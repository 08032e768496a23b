internal import AuthAPI
internal import Encoding
internal import Secrets
internal import Time

@testable internal import Tokens

extension FuzzEntry {
    /// Tokens, proofs of possession and keys of sessions.
    static let tokens: [FuzzEntry] = [
        FuzzEntry("jws", texts: [try SeedSession.accessText()]) { text in
            let jws = try CompactJWS(parsing: text, type: "at+jwt", limit: 2_000)
            _ = try? jws.uncheckedClaims()
            _ = try? jws.verified(by: SeedSession.server.publicKey)
            return text
        },
        FuzzEntry("access-token", texts: [try SeedSession.accessText()]) { text in
            _ = try SeedSession.verifier().read(text, now: SeedSession.noon).verified()
            return text
        },
        // The claims alone, which are signed by the server's key.
        FuzzEntry("access-token-claims", texts: [try SeedSession.part(1, of: SeedSession.accessText())]) { text in
            let header = try JSON(decoding: SeedSession.part(0, of: SeedSession.accessText()))
            let token = CompactJWS.sign(header: header, payload: Array(text.utf8), by: SeedSession.server)
            _ = try SeedSession.verifier().verify(token, now: SeedSession.noon)
            return text
        },
        FuzzEntry("dpop-proof", texts: try SeedSession.proofs()) { text in
            _ = try SeedSession.read(text).verified()
            return text
        },
        // A header and claims on two lines, which are signed by the device's key.
        FuzzEntry(
            "dpop-claims",
            texts: try SeedSession.proofs().map { try SeedSession.part(0, of: $0) + "\n" + SeedSession.part(1, of: $0) }
        ) { text in
            let halves = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            let proof = CompactJWS.sign(
                header: try JSON(decoding: String(halves[0])), payload: Array(halves[1].utf8), by: SeedSession.device)
            _ = try SeedSession.read(proof).verified()
            return text
        },
        FuzzEntry("jwk", texts: [SeedSession.device.publicKey.json.text, SeedSession.device.publicKey.published.text]) {
            text in
            let key = try PublicJWK(JSON(decoding: text))
            precondition((try? PublicJWK(key.json)) == key, "written differently")
            return text
        },
        FuzzEntry("jwk-set", seeds: [try SeedSession.keys().document]) { input in
            let keys = try VerificationKeys(document: input)
            precondition((try? VerificationKeys(document: keys.document)) == keys, "written differently")
            return input
        },
        FuzzEntry(
            "proof-url",
            texts: [
                "HTTPS://Example.COM:443/a/./b/../%7e%e6?q#f", "http://[2001:db8::1]:8080/x/..",
                "https://a.b/c;d=e,f@g:h",
            ]
        ) { text in
            let url = try ProofURL(text)
            precondition((try? ProofURL(url.description)) == url && url.matches(url.description), "normalised twice")
            return text
        },
        FuzzEntry("key-thumbprint", texts: [SeedSession.device.publicKey.thumbprint.description]) {
            try KeyThumbprint($0).description
        },
        FuzzEntry("refresh-token", texts: [try SeedSession.refreshToken().text]) {
            try RefreshToken($0, keys: SeedSession.tags()).text
        },
        FuzzEntry("rotations", seeds: try (0...2).map { try SeedSession.rotations($0).encoded }) {
            try Rotations(decoding: $0).encoded
        },
        FuzzEntry("scope", texts: ["", "session", "session trade"]) {
            let scope = try Scope($0)
            precondition((try? Scope(scope.description)) == scope, "written differently")
            return $0
        },
        // The level and the methods of an authentication, in the form of the store.
        FuzzEntry("authentication-context", texts: SeedSession.contexts) { text in
            let halves = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2 else { return nil }
            _ = try AuthenticationContext(acr: halves[0], amr: halves[1], authenticatedAt: SeedSession.noon)
            return text
        },
    ]
}

/// A session whose keys are known.
private enum SeedSession {
    static let noon = Timestamp(milliseconds: 1_795_262_400_250)
    static let server = SigningKey(from: SeedRandom(1))
    static let device = SigningKey(from: SeedRandom(2))
    private static let issuer = "https://auth.example.com"

    private static func id() throws -> SessionID {
        try SessionID(bytes: [UInt8](repeating: 0x5e, count: 16)).required()
    }

    private static let context = AuthenticationContext(
        .init(userPresent: true, userVerified: true, backupEligible: true, keyStorage: .unknown), at: noon)

    static let contexts: [String] = {
        let methods = context.methods.map(\.rawValue).joined(separator: " ")
        return ["\(context.assurance.rawValue)\n\(methods)"]
    }()

    static func accessText() throws -> String {
        AccessToken(
            issuer: issuer, audience: issuer, client: "fueki",
            account: try AccountID(bytes: [UInt8](repeating: 0xa1, count: 16)).required(), session: try id(),
            device: device.publicKey.thumbprint, authentication: context, scope: try Scope("session trade"), now: noon,
            lifetime: AccessToken.lifetime, random: SeedRandom(3)
        ).signed(by: server)
    }

    static func keys() throws -> VerificationKeys {
        try VerificationKeys(current: server.publicKey, next: [device.publicKey], retired: [])
    }

    static func verifier() throws -> AccessToken.Verifier {
        AccessToken.Verifier(issuer: issuer, audience: issuer, keys: try keys(), leeway: .seconds(0))
    }

    /// Returns a part of a compact JWS, decoded.
    static func part(_ number: Int, of text: String) throws -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return String(decoding: try Base64URL.decode(String(parts[number])), as: UTF8.self)
    }

    // MARK: Proofs

    static func proofs() throws -> [String] {
        let signer = DPoPSigner(key: device)
        return [
            signer.proof(
                method: "POST", url: try url(), nonce: nil, accessToken: nil, now: noon, random: SeedRandom(4)),
            signer.proof(
                method: "POST", url: try url(), nonce: "nonce", accessToken: try accessText(), now: noon,
                random: SeedRandom(5)),
        ]
    }

    private static func url() throws -> ProofURL { try ProofURL("https://auth.example.com/api/auth/token/refresh") }

    static func read(_ text: String) throws -> DPoPProof.Unverified {
        try DPoPProof.read(
            text, method: "POST", url: url(), presentedWith: .alone, timeliness: .clock, now: noon)
    }

    // MARK: Refresh tokens

    static func tags() -> RefreshTagKeys {
        RefreshTagKeys(current: 5, secret: secret([UInt8](repeating: 6, count: 32)))
    }

    static func refreshToken() throws -> RefreshToken {
        RefreshToken(family: try id(), generation: 0, keys: tags(), random: SeedRandom(6))
    }

    static func rotations(_ count: Int) throws -> Rotations {
        var token = try refreshToken()
        var rotations: [Rotations.Rotation] = []
        for _ in 0..<count {
            let next = try token.successor(keys: tags(), random: SeedRandom(7)).required()
            rotations.append(.init(redeemed: token.hash, at: noon, successor: SealedSuccessor(next, under: token)))
            token = next
        }
        return Rotations(rotations)
    }
}
