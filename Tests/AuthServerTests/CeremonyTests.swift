internal import AuthAPI
internal import AuthSettings
internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time
internal import WebAuthn

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// Invalid answers of authenticators: each gives the right problem, and changes nothing.
@Suite("Ceremonies with passkeys")
struct CeremonyTests {
    // MARK: Challenges

    @Test("a challenge is used once", arguments: StoreUnderTest.expected)
    func usedChallenge(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            let made = try keys.register(await phone.signUpOptions())
            try await phone.register(made, accountName: "Ada")
            try await server.refuses(Problem(.challengeUsed)) { try await phone.register(made, accountName: "Ada") }

            let signed = try keys.authenticate(await laptop.signInOptions())
            try await laptop.authenticate(signed)
            try await server.refuses(Problem(.challengeUsed)) { try await laptop.authenticate(signed) }
            #expect(try await server.events()["sign_count_fell"] == nil)
            // This also holds for an authenticator without a counter.
            let again = try await laptop.signInOptions()
            try await server.uncount()
            let uncounted = try keys.authenticate(again, signCount: 0)
            try await laptop.authenticate(uncounted)
            try await server.refuses(Problem(.challengeUsed)) { try await laptop.authenticate(uncounted) }

            let attestation = try await phone.call(.post, "/api/auth/device/attest/options")
            let request = DeviceAttestationRequest(
                platform: "webauthn", attestation: try phone.attestation(attestation)
            ).json
            try await phone.call(.post, "/api/auth/device/attest", request)
            try await server.refuses(Problem(.challengeUsed)) {
                try await phone.call(.post, "/api/auth/device/attest", request)
            }
        }
    }

    @Test("a challenge expires after five minutes")
    func expiredChallenge() async throws {
        try await TestServer.with { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let early = try keys.register(await phone.signUpOptions())
            server.clock.advance(.milliseconds(5 * 60_000 - 1))
            try await phone.register(early, accountName: "Ada")
            let late = try keys.authenticate(await phone.signInOptions())
            server.clock.advance(.minutes(5))
            try await server.refuses(Problem(.challengeExpired)) { try await phone.authenticate(late) }
        }
    }

    @Test("a challenge is valid only for its purpose, device, account and server")
    func wrongChallenge() async throws {
        try await TestServer.with { server in
            let (phone, thief, keys, others) = (
                server.device(), server.device(), server.authenticator(), server.authenticator()
            )
            try await phone.signUp(with: keys)
            try await thief.signUp(with: others, name: "Eve")
            let invalid = Problem(.challengeInvalid)

            // Requested by another device's key.
            let signed = try keys.authenticate(await phone.signInOptions())
            try await server.refuses(invalid) { try await thief.authenticate(signed) }
            let made = try server.authenticator().register(await phone.signUpOptions())
            try await server.refuses(invalid) { try await thief.register(made, accountName: "Eve") }
            let added = try server.authenticator().register(await phone.addPasskeyOptions())
            try await server.refuses(invalid) { try await thief.register(added, as: .session) }

            // For another purpose.
            let stepUp = try keys.authenticate(await phone.stepUpOptions())
            try await server.refuses(invalid) { try await phone.authenticate(stepUp) }
            let signIn = try keys.authenticate(await phone.signInOptions())
            try await server.refuses(invalid) { try await phone.authenticate(signIn, as: .session) }
            try await server.refuses(invalid) { try await phone.register(added, accountName: "Ada") }
            let signUp = try server.authenticator().register(await phone.signUpOptions())
            try await server.refuses(invalid) { try await phone.register(signUp, accountName: "Ada", as: .session) }
            let attestation = try await phone.call(.post, "/api/auth/device/attest/options")
            let asPasskey = try phone.attestation(attestation)
            try await server.refuses(invalid) { try await phone.register(asPasskey, as: .session) }
            let asAttestation = DeviceAttestationRequest(platform: "webauthn", attestation: signUp).json
            try await server.refuses(invalid) {
                try await phone.call(.post, "/api/auth/device/attest", asAttestation)
            }

            // For another account, on the same device.
            let shared = Device(of: server, key: phone.key)
            shared.nonce = phone.nonce
            try await shared.signIn(with: others)
            try await server.refuses(invalid) { try await shared.register(added, as: .session) }
            let step = try others.authenticate(
                await phone.stepUpOptions().setting("public_key", "allowCredentials", to: []))
            try await server.refuses(invalid) { try await shared.authenticate(step, as: .session) }

            // Every byte counts.
            let options = try await phone.signInOptions()
            let text = try #require(options["public_key"]?["challenge"]?.string)
            let bytes = try Base64URL.decode(text)
            for position in [0, 1, 2, 9, 10, 41, 42, 57, 58, 62, 63, 78, 79, bytes.count - 1] {
                var changed = bytes
                changed[position] ^= 1
                let forged = try options.setting("public_key", "challenge", to: .string(Base64URL.encode(changed)))
                let answer = try keys.authenticate(forged)
                try await server.refuses(invalid) { try await phone.authenticate(answer) }
            }
            for challenge in ["AAAAAAAAAAAAAAAAAAAAAA", String(repeating: "A", count: text.utf8.count)] {
                let forged = try options.setting("public_key", "challenge", to: .string(challenge))
                let answer = try keys.authenticate(forged)
                try await server.refuses(invalid) { try await phone.authenticate(answer) }
            }
        }
    }

    @Test("each purpose requires a session, or requires that there is none")
    func purposes() async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let requests: [(String, JSON, Device.Credential, ProblemCode)] = [
                ("register/options", ["purpose": "add_passkey"], .proof, .invalidToken),
                ("register/options", ["purpose": "sign_up", "account_name": "A"], .session, .invalidToken),
                ("register/options", ["purpose": "sign_up"], .proof, .malformedRequest),
                ("register/options", ["purpose": "add_passkey", "account_name": "A"], .session, .malformedRequest),
                ("register/options", ["purpose": "recovery"], .proof, .malformedRequest),
                ("authenticate/options", ["purpose": "step_up"], .proof, .invalidToken),
                ("authenticate/options", ["purpose": "sign_in"], .session, .invalidToken),
                ("authenticate/options", ["purpose": "sign_up"], .proof, .malformedRequest),
            ]
            for (path, body, credential, code) in requests {
                try await server.refuses(Problem(code)) {
                    try await phone.call(.post, "/api/auth/passkey/\(path)", body, as: credential)
                }
            }
        }
    }

    // MARK: Registrations

    @Test("a tampered registration, one from another page and one without user presence are refused")
    func registrations() async throws {
        try await TestServer.with { server in
            let phone = server.device()
            let make = { (change: (inout Authenticator.Behaviour) -> Void) async throws -> JSON in
                let keys = server.authenticator()
                change(&keys.behaviour)
                return try keys.register(try await phone.signUpOptions())
            }
            let refuses = { (code: ProblemCode, credential: JSON) async throws in
                try await server.refuses(Problem(code)) { try await phone.register(credential, accountName: "Ada") }
            }
            try await refuses(.originNotAllowed, make { $0.origin = "http://localhost:8421" })
            try await refuses(.originNotAllowed, make { $0.origin = "https://localhost:8420" })
            try await refuses(
                .originNotAllowed,
                make {
                    $0.origin = "https://evil.example"
                    $0.reading = { try $0.setting("rp", "id", to: "evil.example") }
                })
            try await refuses(
                .userVerificationRequired,
                make {
                    $0.consent = .present
                    $0.reading = { try $0.setting("authenticatorSelection", "userVerification", to: "discouraged") }
                })
            // A signed attestation with one bit changed.
            let attested = try await make { $0.reading = { try $0.setting("attestation", to: "direct") } }
            let object = try Base64URL.decode(try #require(attested["response"]?["attestationObject"]?.string))
            for position in [object.count - 1, object.count - 40] {
                var tampered = object
                tampered[position] ^= 1
                let text = Base64URL.encode(tampered)
                let credential = try attested.setting("response", "attestationObject", to: .string(text))
                await #expect(throws: Problem.self) { try await phone.register(credential, accountName: "Ada") }
            }
            let other = try await make { _ in }
            try await refuses(
                .attestationRefused,
                attested.setting("response", "clientDataJSON", to: try #require(other["response"]?["clientDataJSON"])))
            for member in ["id", "rawId", "type", "response"] {
                try await refuses(.malformedRequest, attested.setting(member, to: nil))
            }
            for text in ["", "!", "AA=="] {
                try await refuses(
                    .malformedRequest, attested.setting("response", "attestationObject", to: .string(text)))
                try await refuses(.malformedRequest, attested.setting("response", "clientDataJSON", to: .string(text)))
            }
            // None of these used up the challenge.
            try await phone.register(attested, accountName: "Ada")
            #expect(try await TableDump.all(in: server).rows["accounts"]?.count == 1)
        }
    }

    @Test("a registered passkey cannot be registered again, by any account", arguments: StoreUnderTest.expected)
    func knownPasskey(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, thief, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let known = try #require(keys.passkeys.last)
            let forger = server.authenticator()
            let made = try forger.register(await thief.signUpOptions(), as: known.id)
            try await server.refuses(Problem(.passkeyExists)) { try await thief.register(made, accountName: "Eve") }
            #expect(try await phone.isSignedIn())
            try await server.device().signIn(with: keys)
        }
    }

    @Test("where an attestation is required, a missing and an untrusted one are refused")
    func requiredAttestation() async throws {
        try await TestServer.with(changing: { configuration in
            configuration.attestation.isRequired = true
        }) { server in
            let phone = server.device()
            let options = try await phone.signUpOptions()
            #expect(options["public_key"]?["attestation"] == "direct")
            let selfSigned = try server.authenticator().register(options)
            try await server.refuses(Problem(.attestationRefused)) {
                try await phone.register(selfSigned, accountName: "Ada")
            }
            let none = try server.authenticator().register(options.setting("public_key", "attestation", to: "none"))
            try await server.refuses(Problem(.attestationRefused)) {
                try await phone.register(none, accountName: "Ada")
            }
        }
    }

    @Test("a device's attestation has to be of the device's own key")
    func deviceAttestation() async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let options = try await phone.call(.post, "/api/auth/device/attest/options")
            let other = try phone.attestation(options, key: P256.Signing.PrivateKey())
            let path = "/api/auth/device/attest"
            try await server.refuses(Problem(.attestationRefused)) {
                try await phone.call(
                    .post, path, DeviceAttestationRequest(platform: "webauthn", attestation: other).json)
            }
            try await server.refuses(Problem(.attestationUnsupported)) {
                try await phone.call(
                    .post, path, DeviceAttestationRequest(platform: "android", attestation: other).json)
            }
            #expect(try await phone.attest().trust == .unverified)
            let devices = try await phone.call(.get, "/api/auth/devices")["devices"]?.array
            #expect(devices?.first?["trust"] == "unverified")
        }
    }

    // MARK: Sign-ins

    @Test(
        "a sign-in of another page, without the person, or with a wrong signature is refused",
        arguments: StoreUnderTest.expected)
    func signIns(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let usual = keys.behaviour
            let sign = { (change: (inout Authenticator.Behaviour) -> Void) async throws -> JSON in
                keys.behaviour = usual
                change(&keys.behaviour)
                return try keys.authenticate(try await phone.signInOptions())
            }
            // The refusal is recorded for the owner of the passkey, and changes nothing else.
            let refuses = { (code: ProblemCode, credential: JSON) async throws in
                try await server.refuses(Problem(code), changing: ["security_events"]) {
                    try await phone.authenticate(credential)
                }
            }
            try await refuses(.originNotAllowed, sign { $0.origin = "http://localhost:8421" })
            try await refuses(
                .originNotAllowed,
                sign {
                    $0.origin = "https://evil.example"
                    $0.reading = { try $0.setting("rpId", to: "evil.example") }
                })
            try await refuses(
                .userVerificationRequired,
                sign {
                    $0.consent = .present
                    $0.reading = { try $0.setting("userVerification", to: "discouraged") }
                })
            let good = try await sign { _ in }
            let other = try await sign { _ in }
            let signature = try #require(other["response"]?["signature"])
            try await refuses(.passkeyRefused, good.setting("response", "signature", to: signature))
            try await refuses(.passkeyRefused, good.setting("response", "userHandle", to: nil))
            let nobody = JSON.string(Base64URL.encode([UInt8](repeating: 1, count: 16)))
            try await refuses(.passkeyRefused, good.setting("response", "userHandle", to: nobody))
            let data = try #require(other["response"]?["authenticatorData"])
            try await refuses(.passkeyRefused, good.setting("response", "authenticatorData", to: data))
            #expect(try await server.events()["sign_in_refused"] == 7)

            // For an unknown passkey nothing is recorded.
            let stranger = server.authenticator()
            _ = try stranger.register(try await phone.signUpOptions())
            try await server.refuses(Problem(.passkeyRefused)) { try await phone.signIn(with: stranger) }
            for member in ["authenticatorData", "clientDataJSON", "signature"] {
                try await server.refuses(Problem(.malformedRequest)) {
                    try await phone.authenticate(good.setting("response", member, to: "!"))
                }
            }
        }
    }

    @Test("a step-up accepts only a passkey of the account", arguments: StoreUnderTest.expected)
    func stepUpOfAnother(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (ada, eve, adasKeys, evesKeys) = (
                server.device(), server.device(), server.authenticator(), server.authenticator()
            )
            try await ada.signUp(with: adasKeys)
            try await eve.signUp(with: evesKeys, name: "Eve")
            server.clock.advance(.minutes(6))
            let options = try await ada.stepUpOptions().setting("public_key", "allowCredentials", to: [])
            let signed = try evesKeys.authenticate(options)
            try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                try await ada.authenticate(signed, as: .session)
            }
            // Not with the other account's name on it either.
            let handle = JSON.string(try #require(ada.tokens).account.description)
            try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                try await ada.authenticate(signed.setting("response", "userHandle", to: handle), as: .session)
            }
            await #expect(throws: Problem(.insufficientUserAuthentication, maxAge: 300)) {
                try await ada.call(.get, "/api/account/export")
            }
        }
    }

    @Test("a fallen counter means a copy: the sign-in is refused, and recorded", arguments: StoreUnderTest.expected)
    func clonedPasskey(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let clone = server.authenticator()
            clone.passkeys = keys.passkeys
            try await server.device().signIn(with: keys)
            try await server.device().signIn(with: keys)
            let thief = server.device()
            try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                try await thief.signIn(with: clone)
            }
            // An equal counter is refused, too.
            try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                try await thief.signIn(with: clone)
            }
            #expect(try await server.events()["sign_count_fell"] == 2)
            try await thief.signIn(with: keys)
        }
    }

    @Test("a passkey that is not discoverable is refused", arguments: StoreUnderTest.expected)
    func undiscoverable(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let made = try keys.register(try await phone.signUpOptions())
            let named = try made.setting("clientExtensionResults", to: ["credProps": ["rk": false]])
            try await server.refuses(Problem(.passkeyRefused)) { try await phone.register(named, accountName: "Ada") }
            try await phone.register(made, accountName: "Ada")
        }
    }

    @Test(
        "a passkey that becomes one that is copied is refused, unless the configuration allows it",
        arguments: StoreUnderTest.expected)
    func backupEligibility(_ store: StoreUnderTest) async throws {
        for isAllowed in [false, true] {
            try await TestServer.with(store, changing: { $0.allowsNewBackupEligibility = isAllowed }) { server in
                let (phone, keys) = (server.device(), server.authenticator())
                try await phone.signUp(with: keys)
                keys.behaviour.backup = .backedUp
                if isAllowed {
                    let laptop = server.device()
                    try await laptop.signIn(with: keys)
                    #expect(try await server.events()["backup_eligibility_raised"] == 1)
                    let passkeys = try await laptop.call(.get, "/api/auth/passkeys")["passkeys"]?.array
                    #expect(passkeys?.first?["synchronised"] == true)
                    // The flag cannot change back.
                    keys.behaviour.backup = .notEligible
                    try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                        try await laptop.signIn(with: keys)
                    }
                } else {
                    try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                        try await server.device().signIn(with: keys)
                    }
                }
            }
        }
    }
}

extension TestServer {
    /// The state as if no passkey had ever counted.
    /// Makes every passkey one that does not count.
    func uncount() async throws {
        try await database.write { _ = try $0.change("UPDATE fido_credentials SET sign_count = 0", []) }
    }
}
