internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Crypto
internal import Encoding
internal import Foundation
internal import HTTPTypes
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore
@testable internal import WebAuthn

/// The assurance of sign-ins in tokens and sessions, and its changes.
@Suite("Assurance")
struct AssuranceTests {
    // MARK: Where the key is kept

    @Test("a software key with a trusted certificate is neither aal3 nor in hardware", arguments: [false, true])
    func trustedSoftware(_ isRequired: Bool) async throws {
        try await TrustingServer.with(.sqlite, .packed, isRequired: isRequired) { server, trusting in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator(), by: trusting.maker, as: .packed)
            let context = try await server.context(of: phone)
            #expect(context.acr == "urn:fueki:aal2")
            #expect(context.amr == "user mfa pop")
            let row = try #require(try await server.passkeys().first)
            #expect(row.trust == .anchored)
            #expect(row.protection == .unknown)
        }
    }

    @Test("a key in Android's secure hardware is aal3; a key that Android itself keeps is in software")
    func android() async throws {
        try await TrustingServer.with { server, trusting in
            for (level, acr, amr) in [
                (UInt8(1), "urn:fueki:aal3", "hwk user mfa pop"), (0, "urn:fueki:aal2", "swk user mfa pop"),
            ] {
                let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
                try await phone.signUp(with: keys, by: trusting.maker, as: .android(level: level))
                try await laptop.signIn(with: keys)
                for device in [phone, laptop] {
                    #expect(try await server.context(of: device).acr == acr)
                    #expect(try await server.context(of: device).amr == amr)
                }
            }
        }
    }

    @Test("certificates count for their configured format, and for no other")
    func otherFormat() async throws {
        for format in [.packed, .tpm, .apple, .fidoU2F] as [ServerConfiguration.AttestationSettings.AnchorFormat] {
            try await TrustingServer.with(.sqlite, format) { server, trusting in
                let phone = server.device()
                try await phone.signUp(with: server.authenticator(), by: trusting.maker)
                #expect(try await server.passkeys().map(\.trust) == [.untrusted])
                #expect(try await server.context(of: phone).acr == "urn:fueki:aal2")
            }
        }
    }

    @Test("a revoked Android certificate is not trusted, and is refused only where trust is required")
    func revoked() async throws {
        let folder = try TemporaryFolder()
        let trusting = TrustingServer(maker: try Maker(), folder: folder.path)
        for isRequired in [false, true] {
            // The serial number is known before the server starts: the statement belongs to another challenge then.
            try await TestServer.with(changing: { $0.attestation = try trusting.settings(isRequired: isRequired) }) {
                server in
                let (phone, keys) = (server.device(), server.authenticator())
                let made = try keys.register(await phone.signUpOptions())
                let attested = try trusting.maker.attest(made, of: try #require(keys.passkeys.last).key)
                let policy = try AttestationFiles.policy(
                    trusting.settings(isRequired: isRequired, revoked: [attested.serial]), at: now)
                let object = try Base64URL.decode(
                    try #require(attested.response["response"]?["attestationObject"]?.string))
                let attestation = try AttestationObject(decoding: object).uncheckedAttestation()
                let untrusted = AttestationTrust.untrusted(.revoked(position: 0))
                let expected: AttestationPolicy.Decision =
                    isRequired ? .refused(.trust(untrusted)) : .accepted(untrusted)
                #expect(policy.decision(on: attestation, at: now.milliseconds) == expected)
            }
        }
    }

    @Test(
        "the key of a device is trusted where it is proven to be in hardware, and anchored where only the maker is known"
    )
    func devices() async throws {
        for (format, anchors, trust) in [
            (
                Maker.Format.android(level: 1), ServerConfiguration.AttestationSettings.AnchorFormat.androidKey,
                "trusted"
            ),
            (.android(level: 0), .androidKey, "anchored"), (.packed, .packed, "anchored"),
            (.android(level: 1), .tpm, "unverified"),
        ] {
            try await TrustingServer.with(.sqlite, anchors) { server, trusting in
                let phone = server.device()
                try await phone.signUp(with: server.authenticator())
                let key = try P256.Signing.PrivateKey(
                    rawRepresentation: phone.key.exported().withUnsafeBytes { Array($0) })
                let options = try await phone.call(.post, "/api/auth/device/attest/options")
                let attested = try trusting.maker.attest(phone.attestation(options), of: key, as: format).response
                let answer = try DeviceAttestationAnswer(
                    await phone.call(
                        .post, "/api/auth/device/attest",
                        DeviceAttestationRequest(platform: "webauthn", attestation: attested).json))
                #expect(answer.trust.rawValue == trust)
                let devices = try await phone.call(.get, "/api/auth/devices")["devices"]?.array
                #expect(devices?.first?["trust"]?.string == trust)
            }
        }
    }

    @Test("unknown formats and unreadable issuers are accepted, unless attestations are required")
    func unreadable() async throws {
        for isRequired in [false, true] {
            try await TrustingServer.with(.sqlite, .androidKey, isRequired: isRequired) { server, trusting in
                let (phone, keys) = (server.device(), server.authenticator())
                var made = try keys.register(await phone.signUpOptions())
                let object = try Base64URL.decode(try #require(made["response"]?["attestationObject"]?.string))
                let compound = try CBOR(decoding: object)
                let data = try #require(compound["authData"])
                let unknown = CBOR.map(
                    try CBOR.Map([
                        (.text("fmt"), .text("compound")), (.text("attStmt"), .array([])), (.text("authData"), data),
                    ]))
                // A statement that is not a map is malformed, whatever its format is called.
                let noMap = try made.setting(
                    "response", "attestationObject", to: .string(Base64URL.encode(unknown.encoded)))
                try await server.refuses(Problem(.malformedRequest)) {
                    try await phone.register(noMap, accountName: "Ada")
                }
                let named = CBOR.map(
                    try CBOR.Map([
                        (.text("fmt"), .text("android-safetynet")), (.text("attStmt"), .map(CBOR.Map())),
                        (.text("authData"), data),
                    ]))
                made = try made.setting(
                    "response", "attestationObject", to: .string(Base64URL.encode(named.encoded)))
                let other = server.authenticator()
                let android = try other.register(await phone.signUpOptions())
                let elsewhere = try Maker(named: "Elsewhere")
                let cut = try elsewhere.attest(
                    android, of: try #require(other.passkeys.last).key, above: [[0x30, 0x00]]
                ).response
                for credential in [made, cut] {
                    if isRequired {
                        try await server.refuses(Problem(.attestationRefused)) {
                            try await phone.register(credential, accountName: "Ada")
                        }
                    } else {
                        try await phone.register(credential, accountName: "Ada")
                    }
                }
                if !isRequired {
                    let rows = try await server.passkeys()
                    #expect(Set(rows.map(\.attestationFormat)) == ["unknown", "android-key"])
                    #expect(Set(rows.map(\.trust)) == [StoredTrust.none, .untrusted])
                    #expect(rows.allSatisfy { $0.protection == .unknown })
                }
            }
        }
    }

    @Test("an attestation is requested only if an anchor or metadata are configured")
    func conveyance() async throws {
        for (format, isRequired, conveyance) in [
            (ServerConfiguration.AttestationSettings.AnchorFormat?.none, false, "none"), (.packed, false, "direct"),
            (.packed, true, "direct"),
        ] {
            try await TrustingServer.with(.sqlite, format, isRequired: isRequired) { server, _ in
                let options = try await server.device().signUpOptions()
                #expect(options["public_key"]?["attestation"]?.string == conveyance)
            }
        }
    }

    // MARK: Age

    @Test(
        "token, introspection and list of sessions lower the assurance by age, and a step-up raises it again",
        arguments: StoreUnderTest.expected)
    func ageing(_ store: StoreUnderTest) async throws {
        try await TrustingServer.with(store) { server, trusting in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys, by: trusting.maker)
            func expect(_ acr: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
                try await phone.refresh()
                #expect(try await server.context(of: phone).acr == acr, sourceLocation: sourceLocation)
                let introspection = try await server.introspect(phone.accessToken).json()
                #expect(introspection["acr"]?.string == acr, sourceLocation: sourceLocation)
                let session = try CurrentSession(await phone.call(.get, "/api/auth/session")).session
                #expect(session.assurance == acr, sourceLocation: sourceLocation)
                let all = try await phone.call(.get, "/api/auth/sessions")["sessions"]?.array
                #expect(all?.map { $0["acr"]?.string } == [acr], sourceLocation: sourceLocation)
                // Method and time of the sign-in do not change.
                #expect(introspection["amr"] == ["hwk", "user", "mfa", "pop"], sourceLocation: sourceLocation)
            }
            try await expect("urn:fueki:aal3")
            let start = try await server.context(of: phone).authenticatedAt
            server.clock.advance(start.adding(.hours(12)).since(server.clock.now))
            try await expect("urn:fueki:aal3")
            let issued = try phone.accessToken
            server.clock.advance(.seconds(1))
            // The token was signed earlier; introspection returns its present assurance.
            #expect(try await server.introspect(issued).json()["acr"] == "urn:fueki:aal2")
            try await expect("urn:fueki:aal2")
            server.clock.advance(.hours(12))
            try await expect("urn:fueki:aal1")
            try await phone.stepUp(with: keys)
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal3")
            try await expect("urn:fueki:aal3")
        }
    }

    // MARK: Sessions and their passkeys

    @Test("a session records its passkey, until the passkey is removed", arguments: StoreUnderTest.expected)
    func sessionsAndPasskeys(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, first, second) = (server.device(), server.authenticator(), server.authenticator())
            try await phone.signUp(with: first)
            try await phone.addPasskey(with: second)
            func credential() async throws -> [UInt8]? {
                let session = try #require(phone.tokens).session
                return try await server.database.read { try Sessions.find(session, in: $0)?.credential }
            }
            #expect(try await credential() == first.passkeys.last?.id.bytes)
            try await phone.stepUp(with: second)
            #expect(try await credential() == second.passkeys.last?.id.bytes)
            try await phone.call(.delete, "/api/auth/passkeys/\(try first.newest)")
            #expect(try await credential() == second.passkeys.last?.id.bytes)
            try await phone.addPasskey(with: server.authenticator())
            try await phone.call(.delete, "/api/auth/passkeys/\(try second.newest)")
            #expect(try await credential() == nil)
        }
    }

    @Test("when a passkey turns out to be copied, no session claims a hardware key", arguments: StoreUnderTest.expected)
    func copied(_ store: StoreUnderTest) async throws {
        let folder = try TemporaryFolder()
        let trusting = TrustingServer(maker: try Maker(), folder: folder.path)
        try await TestServer.with(
            store,
            changing: {
                $0.attestation = try trusting.settings()
                $0.allowsNewBackupEligibility = true
            }
        ) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys, by: trusting.maker)
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal3")
            keys.behaviour.backup = .backedUp
            try await server.device().signIn(with: keys)
            try await phone.refresh()
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal2")
            #expect(try await server.context(of: phone).amr == "swk user mfa pop")
        }
    }

    // MARK: What a session alone may do

    @Test("revoking or renaming another device requires a step-up, the caller's own device does not")
    func otherDevices() async throws {
        try await TestServer.with { server in
            let (phone, thief, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await thief.signIn(with: keys)
            let (phones, thiefs) = (try #require(phone.tokens), try #require(thief.tokens))
            let owners = "/api/auth/devices/\(phones.device)"
            let own = "/api/auth/devices/\(thiefs.device)"
            let passkey = "/api/auth/passkeys/\(try keys.newest)"
            server.clock.advance(.minutes(6))
            let problem = Problem(.insufficientUserAuthentication, maxAge: 300)
            try await server.refuses(problem) { try await thief.call(.delete, owners) }
            try await server.refuses(problem) { try await thief.call(.patch, owners, ["name": "Thief"]) }
            try await server.refuses(problem) { try await thief.call(.patch, passkey, ["name": "Old"]) }
            // The answer does not reveal whether such a device exists.
            let nobodys = "/api/auth/devices/AAAAAAAAAAAAAAAAAAAAAA"
            try await server.refuses(problem) { try await thief.call(.delete, nobodys) }
            try await thief.call(.patch, own, ["name": "Mine"])
            try await thief.stepUp(with: keys)
            try await thief.call(.patch, owners, ["name": "Phone"])
            try await thief.call(.patch, passkey, ["name": "Old"])
            try await thief.call(.delete, owners)
            #expect(try await !phone.isSignedIn())
            server.clock.advance(.minutes(6))
            try await thief.call(.delete, own)
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test("ending other sessions requires no step-up, since a robbed owner may have the session and no passkey")
    func otherSessions() async throws {
        try await TestServer.with { server in
            let (phone, thief, third, keys) = (
                server.device(), server.device(), server.device(), server.authenticator()
            )
            try await phone.signUp(with: keys)
            let stolen = try await thief.signIn(with: keys).session
            try await third.signIn(with: keys)
            server.clock.advance(.minutes(6))
            try await phone.call(.delete, "/api/auth/sessions/\(stolen)")
            #expect(try await !thief.isSignedIn())
            try await phone.call(.post, "/api/auth/sessions/revoke-others")
            #expect(try await !third.isSignedIn())
        }
    }
}
