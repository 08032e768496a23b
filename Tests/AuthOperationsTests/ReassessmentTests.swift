internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import Secrets
internal import StoreTestSupport
internal import Testing
internal import Tokens

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore
@testable internal import WebAuthn

/// The changes of the assurance of sign-ins when attestations are judged again.
@Suite("Reassessment")
struct ReassessmentTests {
    @Test("a reassessment that is not applied writes nothing", arguments: StoreUnderTest.expected)
    func dryRun(_ store: StoreUnderTest) async throws {
        try await TrustingServer.with(store) { server, trusting in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator(), by: trusting.maker)
            let before = try await TableDump.all(in: server)
            let report = try await server.reassess(trusting.settings(nil), isApplied: false)
            #expect(report.seen == 1)
            #expect(report.raised == 0)
            #expect(report.lowered == 1)
            #expect(report.altered == 0)
            #expect(!report.isApplied)
            let change = try #require(report.changes.first)
            let account = try #require(phone.tokens).account.description
            #expect(change.subject == .passkey)
            #expect([change.account, change.reason] == [account, "no_anchor"])
            #expect(change.before == .init(trust: "anchored", keyProtection: "tee", keyEvidence: "android-key"))
            #expect(change.after == .init(trust: "untrusted", keyProtection: "unknown", keyEvidence: "none"))
            #expect(try await TableDump.all(in: server) == before)
            // An unchanged attestation is not reported.
            #expect(try await server.reassess(trusting.settings(), isApplied: false).changed == 0)
        }
    }

    @Test(
        "trust that is lost and given back takes effect with the next access token", arguments: StoreUnderTest.expected)
    func lostAndFound(_ store: StoreUnderTest) async throws {
        try await TrustingServer.with(store) { server, trusting in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            let (other, others) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys, by: trusting.maker)
            try await laptop.signIn(with: keys)
            try await other.signUp(with: others)
            let report = try await server.reassess(trusting.settings(nil))
            #expect(report.seen == 2)
            #expect(report.lowered == 1)
            #expect(report.isApplied)
            for device in [phone, laptop] {
                try await device.refresh()
                #expect(try await server.context(of: device).acr == "urn:fueki:aal2")
                #expect(try await server.context(of: device).amr == "user mfa pop")
            }
            #expect(try await server.events()["passkey_trust_lost"] == 1)
            #expect(try await server.passkeys().compactMap(\.trustLostAt).count == 1)
            // Reported once, and to its owner.
            _ = try await server.reassess(trusting.settings(nil))
            #expect(try await server.events()["passkey_trust_lost"] == 1)
            let events = try await phone.call(.get, "/api/account/export")["security_events"]?.array ?? []
            let lost = try #require(events.first { $0["kind"] == "passkey_trust_lost" })
            #expect(lost["details"]?["reason"] == "no_anchor")
            let newest = try keys.newest
            #expect(lost["details"]?["passkey_id"]?.string == newest)
            // Where no attestation is required, the passkey signs in as before.
            try await server.device().signIn(with: keys)

            let found = try await server.reassess(trusting.settings())
            #expect(found.raised == 1)
            #expect(found.lowered == 0)
            try await laptop.refresh()
            #expect(try await server.context(of: laptop).acr == "urn:fueki:aal3")
            #expect(try await server.context(of: laptop).amr == "hwk user mfa pop")
            #expect(try await server.passkeys().allSatisfy { $0.trustLostAt == nil })
        }
    }

    @Test("a certificate that Google revokes later removes the trust from the passkeys under it")
    func revokedLater() async throws {
        try await TrustingServer.with { server, trusting in
            let (phone, keys) = (server.device(), server.authenticator())
            let made = try keys.register(await phone.signUpOptions())
            let attested = try trusting.maker.attest(made, of: try #require(keys.passkeys.last).key)
            try await phone.register(attested.response, accountName: "Ada")
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal3")
            let report = try await server.reassess(trusting.settings(revoked: [attested.serial]))
            #expect(report.changes.map(\.reason) == ["revoked"])
            try await phone.refresh()
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal2")
        }
    }

    @Test(
        "where attestations are required a passkey that lost its trust signs in no more; a recovery code and the anchor help",
        arguments: StoreUnderTest.expected)
    func lostWhereRequired(_ store: StoreUnderTest) async throws {
        try await TrustingServer.with(store, isRequired: true) { server, trusting in
            let (phone, keys) = (server.device(), server.authenticator())
            let codes = try #require(
                try await phone.signUp(with: keys, by: trusting.maker).recoveryCodes)
            _ = try await server.reassess(trusting.settings(nil))
            let laptop = server.device()
            try await server.refuses(Problem(.attestationRefused), changing: ["security_events"]) {
                try await laptop.signIn(with: keys)
            }
            try await server.refuses(Problem(.attestationRefused), changing: ["security_events"]) {
                try await phone.stepUp(with: keys)
            }
            // The session continues, with less assurance.
            try await phone.refresh()
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal2")
            // The operator's mistake is corrected.
            _ = try await server.reassess(trusting.settings())
            try await laptop.signIn(with: keys)
            #expect(try await server.context(of: laptop).acr == "urn:fueki:aal3")
            // Without the anchor, a recovery code lets the owner register another passkey.
            _ = try await server.reassess(trusting.settings(nil))
            let (fresh, more) = (server.device(), server.authenticator())
            let made = try more.register(await fresh.recoveryOptions(codes[0]))
            let attested = try trusting.maker.attest(made, of: try #require(more.passkeys.last).key).response
            try await fresh.register(attested)
            try await server.device().signIn(with: more)
        }
    }

    @Test("a passkey whose model is reported broken is aal1 until the report is withdrawn and its user signs in again")
    func compromised() async throws {
        try await TestServer.with { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let model = try AAGUID("f24a8e70-d0d3-f82c-2937-32523cc4de5a")
            keys.behaviour.model = model
            keys.behaviour.reading = { try $0.setting("attestation", to: "direct") }
            try await phone.signUp(with: keys)
            func policy(_ status: String) throws -> AttestationPolicy {
                var policy = AttestationPolicy.anything
                let entry = #"{"aaguid":"\#(model)","statusReports":[{"status":"\#(status)"}]}"#
                policy.metadata = .init(
                    try MetadataBLOB(
                        payload: Array(#"{"no":7,"nextUpdate":"2026-12-01","entries":[\#(entry)]}"#.utf8)),
                    isRequired: false)
                return policy
            }
            let report = try await server.reassess(by: policy("USER_VERIFICATION_BYPASS"))
            #expect(report.changes.map(\.reason) == ["USER_VERIFICATION_BYPASS"])
            #expect(try await server.passkeys().map(\.trust) == [.compromised])
            #expect(try await server.events()["passkey_trust_lost"] == 1)
            try await phone.refresh()
            #expect(try await server.context(of: phone).acr == "urn:fueki:aal1")
            #expect(try await server.context(of: phone).amr == "user pop")
            let laptop = server.device()
            keys.behaviour.reading = { $0 }
            try await laptop.signIn(with: keys)
            #expect(try await server.context(of: laptop).acr == "urn:fueki:aal1")
            _ = try await server.reassess(by: policy("FIDO_CERTIFIED"))
            try await laptop.refresh()
            #expect(try await server.context(of: laptop).acr == "urn:fueki:aal1")
            try await laptop.stepUp(with: keys)
            #expect(try await server.context(of: laptop).acr == "urn:fueki:aal2")
        }
    }

    @Test(
        "a sign-in that a reassessment overtakes says what the reassessment found", arguments: StoreUnderTest.expected)
    func overtaken(_ store: StoreUnderTest) async throws {
        try await TrustingServer.with(store) { server, trusting in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys, by: trusting.maker)
            let signed = try keys.authenticate(await laptop.signInOptions())
            let settings = try trusting.settings(nil)
            server.database.afterNextRead { _ = try await server.reassess(settings) }
            try await laptop.authenticate(signed)
            #expect(try await server.context(of: laptop).acr == "urn:fueki:aal2")
            #expect(try await server.passkeys().map(\.trust) == [.untrusted])
        }
    }

    @Test("a reassessment judges the attestations of devices as well", arguments: StoreUnderTest.expected)
    func devicesJudged(_ store: StoreUnderTest) async throws {
        try await TrustingServer.with(store) { server, trusting in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let key = try P256.Signing.PrivateKey(rawRepresentation: phone.key.exported().withUnsafeBytes { Array($0) })
            let options = try await phone.call(.post, "/api/auth/device/attest/options")
            let attested = try trusting.maker.attest(phone.attestation(options), of: key).response
            let body = DeviceAttestationRequest(platform: "webauthn", attestation: attested).json
            try await phone.call(.post, "/api/auth/device/attest", body)
            func trust() async throws -> String? {
                try await phone.call(.get, "/api/auth/devices")["devices"]?.array?.first?["trust"]?.string
            }
            #expect(try await trust() == "trusted")
            let report = try await server.reassess(trusting.settings(nil))
            #expect(report.seen == 2)
            #expect(report.lowered == 1)
            #expect(report.changes.map(\.subject) == [.device])
            #expect(try await trust() == "unverified")
            #expect(try await server.events()["device_trust_lost"] == 1)
            #expect(try await server.reassess(trusting.settings()).raised == 1)
            #expect(try await trust() == "trusted")
            #expect(try await server.events()["device_trust_lost"] == 1)
        }
    }
}

extension TestServer {
    @discardableResult
    fileprivate func reassess(
        _ settings: ServerConfiguration.AttestationSettings, isApplied: Bool = true
    ) async throws -> Reassessment.Report {
        try await reassess(by: try AttestationFiles.policy(settings, at: clock.now), isApplied: isApplied)
    }

    @discardableResult
    fileprivate func reassess(
        by policy: AttestationPolicy, isApplied: Bool = true
    ) async throws -> Reassessment.Report {
        try await Reassessment.run(policy, on: operatorStore(), at: clock.now, isApplied: isApplied)
    }
}
