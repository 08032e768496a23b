internal import Crypto
internal import Encoding
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing
internal import WebAuthn

@testable internal import AuthServer

/// What keeps passkeys: a browser with a built-in authenticator, in memory.
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

    /// What a test lets go wrong.
    struct Behaviour: Sendable {
        var consent = SoftwareAuthenticator.Consent.verified
        var backup = SoftwareAuthenticator.Backup.notEligible
        var origin = TestServer.origin
        /// What it says that it is.
        var model = AAGUID.zero
        /// Takes the options before it looks at them.
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

    /// The newest last.
    var passkeys: [Passkey] {
        get { state.withLock { $0.passkeys } }
        set { state.withLock { $0.passkeys = newValue } }
    }

    /// The id of its newest passkey, as the server's addresses have it.
    var newest: String { get throws { try #require(passkeys.last).id.description } }

    private var software: SoftwareAuthenticator {
        SoftwareAuthenticator(aaguid: behaviour.model, backup: behaviour.backup)
    }

    /// Makes a passkey: `RegistrationResponseJSON` for the options of the server.
    ///
    /// - Parameter id: of the passkey; nil is a new one.
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

    /// Signs with its newest passkey: `AuthenticationResponseJSON` for the options of the server.
    ///
    /// - Parameter signCount: what its counter says; nil is one more than last time.
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
