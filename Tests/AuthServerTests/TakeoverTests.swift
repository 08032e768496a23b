internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import Testing
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// A thief with a session or a passkey of an account, who races the owner's revocation.
@Suite("A revoked session")
struct TakeoverTests {
    /// The changes that a signed-in caller can make.
    enum Deed: String, CaseIterable, Sendable {
        case addPasskey, renamePasskey, removePasskey, endSession, endOthers, signOut, renameDevice, revokeDevice
        case attestDevice, newRecoveryCodes, export, erase, stepUp
    }

    @Test(
        "changes nothing with a request that was begun before the session ended", arguments: Deed.allCases,
        StoreUnderTest.expected)
    func lateRequest(_ deed: Deed, _ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (owner, thief, keys) = (server.device(), server.device(), server.authenticator())
            try await owner.signUp(with: keys)
            try await owner.addPasskey(with: server.authenticator())
            let stolen = try await thief.signIn(with: keys)
            let act = try await prepare(deed, by: thief, against: owner, keys)
            // After the check of the token and before the change. Over a network that interval is as long as the thief
            // likes: the body of a request may arrive byte by byte.
            server.database.afterNextWrite {
                _ = try await server.database.write { transaction in
                    try Sessions.revoke(stolen.session, at: server.clock.now, reason: "every_session", in: transaction)
                }
            }
            try await server.refuses(Problem(.invalidToken), changing: ["refresh_tokens"]) { try await act() }
            #expect(try await owner.isSignedIn())
        }
    }

    private func prepare(
        _ deed: Deed, by thief: Device, against owner: Device, _ keys: Authenticator
    ) async throws -> @Sendable () async throws -> Void {
        let passkey = "/api/auth/passkeys/\(try keys.newest)"
        let tokens = try #require(owner.tokens)
        let device = "/api/auth/devices/\(tokens.device)"
        let call = { @Sendable (method: HTTPRequest.Method, path: String, body: JSON?) async throws in
            _ = try await thief.call(method, path, body)
        }
        switch deed {
        case .addPasskey:
            let made = try thief.server.authenticator().register(await thief.addPasskeyOptions())
            return { try await thief.register(made, as: .session) }
        case .stepUp:
            let signed = try keys.authenticate(await thief.stepUpOptions())
            return { try await thief.authenticate(signed, as: .session) }
        case .attestDevice:
            let options = try await thief.call(.post, "/api/auth/device/attest/options")
            let body = DeviceAttestationRequest(platform: "webauthn", attestation: try thief.attestation(options)).json
            return { try await call(.post, "/api/auth/device/attest", body) }
        case .renamePasskey: return { try await call(.patch, passkey, ["name": "Mine"]) }
        case .removePasskey: return { try await call(.delete, passkey, nil) }
        case .endSession: return { try await call(.delete, "/api/auth/sessions/\(tokens.session)", nil) }
        case .endOthers: return { try await call(.post, "/api/auth/sessions/revoke-others", nil) }
        case .signOut: return { try await call(.post, "/api/auth/logout", nil) }
        case .renameDevice: return { try await call(.patch, device, ["name": "Mine"]) }
        case .revokeDevice: return { try await call(.delete, device, nil) }
        case .newRecoveryCodes: return { try await call(.post, "/api/auth/recovery/codes", nil) }
        case .export: return { try await call(.get, "/api/account/export", nil) }
        case .erase: return { try await call(.delete, "/api/account", nil) }
        }
    }

    @Test(
        "changes nothing with an access token that was revoked meanwhile",
        arguments: [Deed.newRecoveryCodes, .addPasskey, .stepUp], StoreUnderTest.expected)
    func revokedToken(_ deed: Deed, _ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (owner, thief, keys) = (server.device(), server.device(), server.authenticator())
            try await owner.signUp(with: keys)
            try await thief.signIn(with: keys)
            let act = try await prepare(deed, by: thief, against: owner, keys)
            let token = try thief.accessToken
            server.database.afterNextWrite { try await owner.form("/api/auth/token/revoke", "token=\(token)") }
            try await server.refuses(Problem(.invalidToken), changing: ["revoked_access_tokens"]) { try await act() }
        }
    }

    /// The ways to end every other session, or those of one device.
    enum Door: CaseIterable, Sendable {
        case revokeDevice, revokeOthers, recover
    }

    @Test(
        "has no session by a sign-in that was under way", arguments: Door.allCases, StoreUnderTest.expected)
    func lateSignIn(_ door: Door, _ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (owner, thief, keys) = (server.device(), server.device(), server.authenticator())
            let codes = try #require(try await owner.signUp(with: keys).recoveryCodes)
            let device = try await thief.signIn(with: keys).device
            let signed = try keys.authenticate(await thief.signInOptions())
            let made = try server.authenticator().register(await owner.recoveryOptions(codes[0]))

            // After the check of the owner's token, which would wait for the thief's transaction by the address's
            // limit: the sign-in has written its session, which is invisible before the commit.
            let late = Mutex<Task<TokenResponse, any Error>?>(nil)
            server.database.afterNextWrite {
                let held = server.database.holdWrite()
                late.withLock { $0 = Task { try await thief.authenticate(signed) } }
                await held.arrive()
                Task {
                    defer { held.letGo() }
                    try await server.database.waitForQueue(in: store)
                }
            }
            switch door {
            case .revokeDevice: try await owner.call(.delete, "/api/auth/devices/\(device)")
            case .revokeOthers: try await owner.call(.post, "/api/auth/sessions/revoke-others")
            case .recover: try await owner.register(made)
            }
            _ = try await late.withLock { $0 }?.value
            #expect(try await !thief.isSignedIn())
            #expect(try await owner.isSignedIn())
        }
    }

    @Test("a revoked session cannot make codes beside the owner's last ones", arguments: StoreUnderTest.expected)
    func twoSetsOfCodes(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (owner, thief, keys) = (server.device(), server.device(), server.authenticator())
            try await owner.signUp(with: keys)
            try await thief.signIn(with: keys)
            // The first transaction is the check of the token.
            let held = server.database.holdWrite(after: 1)
            async let theirs = thief.call(.post, "/api/auth/recovery/codes")
            await held.arrive()
            async let ours = owner.call(.post, "/api/auth/recovery/codes")
            try await server.database.waitForQueue(in: store)
            held.letGo()
            let (first, second) = try await (theirs["codes"], ours["codes"])
            #expect(first != second)
            let left = try await owner.call(.get, "/api/auth/session")["recovery_codes_left"]
            #expect(left == 10)
        }
    }
}
