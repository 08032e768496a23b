internal import Crypto
internal import Encoding
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing
internal import WebAuthn

@testable internal import AuthServer

/// A browser with a built-in authenticator, in memory.
final class Authenticator: Sendable {
    private let random: SeededRandom
    private let state: Mutex<State>

    private struct State {
        var passkeys: [Passkey] = []
        var behaviour = Behaviour()
    }

    /// A passkey, and its counter.
    struct Passkey: Sendable {
        let id: CredentialID
        let key: P256.Signing.PrivateKey
        let user: UserHandle
        var signCount: UInt32
    }

    /// The faults that a test can choose.
    struct Behaviour: Sendable {
        var consent = SoftwareAuthenticator.Consent.verified
        var backup = SoftwareAuthenticator.Backup.notEligible
        var origin = TestServer.origin
        /// The origin that it reports.
        var model = AAGUID.zero
        /// Changes the options before it reads them.
        var reading: @Sendable (JSON) throws -> JSON = { $0 }
    }

    init(random: SeededRandom) {
        self.random = random
        state = Mutex(State())
    }

    var behaviour: Behaviour {
        get { state.withLock { $0.behaviour } }
        set { state.withLock { $0.behaviour = newValue } }
    }

    /// The passkeys, newest last.
    var passkeys: [Passkey] {
        get { state.withLock { $0.passkeys } }
        set { state.withLock { $0.passkeys = newValue } }
    }

    /// The id of its newest passkey, in the form of the server's paths.
    var newest: String { get throws { try #require(passkeys.last).id.description } }

    private var software: SoftwareAuthenticator {
        SoftwareAuthenticator(aaguid: behaviour.model, backup: behaviour.backup)
    }

    /// Makes a passkey: returns `RegistrationResponseJSON` for the options of the server.
    ///
    /// - Parameter id: the id of the passkey; nil for a new one.
    func register(_ answer: JSON, as id: CredentialID? = nil) throws -> JSON {
        let options = try CreationOptions(json: behaviour.reading(try #require(answer["public_key"])))
        let key = try P256.Signing.PrivateKey(rawRepresentation: random.publicBytes(count: 32))
        let passkey = Passkey(
            id: try id ?? CredentialID(random.publicBytes(count: 24)), key: key, user: options.user.handle, signCount: 1
        )
        let response = try software.register(
            options, from: try Origin(behaviour.origin), as: passkey.id, with: key, having: passkeys.map(\.id),
            signCount: passkey.signCount, consent: behaviour.consent)
        state.withLock { $0.passkeys.append(passkey) }
        return response.json
    }

    /// Signs with its newest passkey: returns `AuthenticationResponseJSON` for the options of the server.
    ///
    /// - Parameter signCount: the value of its counter; nil for one more than last time.
    func authenticate(_ answer: JSON, signCount: UInt32? = nil) throws -> JSON {
        let options = try RequestOptions(json: behaviour.reading(try #require(answer["public_key"])))
        let passkey = try state.withLock { state throws -> Passkey in
            try #require(!state.passkeys.isEmpty)
            state.passkeys[state.passkeys.count - 1].signCount += 1
            return state.passkeys[state.passkeys.count - 1]
        }
        return try software.authenticate(
            options, from: try Origin(behaviour.origin), as: passkey.id, of: passkey.user, with: passkey.key,
            signCount: signCount ?? passkey.signCount, consent: behaviour.consent
        ).json
    }
}
