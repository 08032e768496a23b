internal import AuthAPI
internal import Encoding
internal import HTTPTypes
internal import Secrets
internal import ServerHTTP
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Tokens

@testable internal import AuthServer

/// A client: a key that signs proofs, the last nonce, and the tokens of its session.
final class Device: Sendable {
    let server: TestServer
    let key: SigningKey
    let random: SeededRandom
    private let state = Mutex(State())

    private struct State {
        var nonce: String?
        var tokens: TokenResponse?
        var secrets: Set<String> = []
        var address: String?
    }

    /// - Parameter key: the key; nil makes a new one.
    init(of server: TestServer, key: SigningKey? = nil) {
        self.server = server
        random = server.random()
        self.key = key ?? SigningKey(from: random)
    }

    /// Returns the same device as a client of another replica.
    func asking(_ server: TestServer) -> Device {
        let device = Device(of: server, key: key)
        device.tokens = tokens
        device.nonce = nonce
        return device
    }

    var thumbprint: KeyThumbprint { key.publicKey.thumbprint }

    var nonce: String? {
        get { state.withLock { $0.nonce } }
        set { state.withLock { $0.nonce = newValue } }
    }

    var tokens: TokenResponse? {
        get { state.withLock { $0.tokens } }
        set {
            state.withLock { state in
                state.tokens = newValue
                if let newValue { state.secrets.insert(newValue.accessToken) }
                if let text = newValue?.refreshToken { state.secrets.insert(text) }
            }
        }
    }

    /// The value that a proxy writes into `X-Forwarded-For`; nil without a proxy.
    var address: String? {
        get { state.withLock { $0.address } }
        set { state.withLock { $0.address = newValue } }
    }

    /// All tokens and proofs that it ever had.
    var secrets: Set<String> { state.withLock { $0.secrets } }

    var accessToken: String { get throws { try #require(tokens).accessToken } }
    var refreshToken: String { get throws { try #require(tokens?.refreshToken) } }

    // MARK: Requests

    /// Returns a proof for one request, as a correct client makes it.
    func proof(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, url: String? = nil, nonce: String?? = nil
    ) throws -> String {
        let proof = DPoPSigner(key: key).proof(
            method: method.rawValue, url: try ProofURL(url ?? TestServer.origin + path), nonce: nonce ?? self.nonce,
            accessToken: token, now: server.clock.now, random: random)
        _ = state.withLock { $0.secrets.insert(proof) }
        return proof
    }

    /// The credentials of a request.
    enum Credential: Sendable {
        /// A proof alone.
        case proof
        /// The access token of its session, and a proof.
        case session
    }

    func headers(
        _ method: HTTPRequest.Method, _ path: String, as credential: Credential
    ) throws -> HTTPFields {
        switch credential {
        case .proof: return [.dpop: try proof(method, path)]
        case .session:
            let token = try accessToken
            return [.dpop: try proof(method, path, token: token), .authorization: "DPoP \(token)"]
        }
    }

    /// Sends a request, and repeats it once if it is told to use another nonce.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as credential: Credential, type: String? = nil,
        body: [UInt8]? = nil
    ) async throws -> Answer {
        let first = try await sendOnce(method, path, as: credential, type: type, body: body)
        guard first.problem?.code == .useDPoPNonce else { return first }
        return try await sendOnce(method, path, as: credential, type: type, body: body)
    }

    func sendOnce(
        _ method: HTTPRequest.Method, _ path: String, as credential: Credential, type: String? = nil,
        body: [UInt8]? = nil
    ) async throws -> Answer {
        var headers = try headers(method, path, as: credential)
        if let type { headers[.contentType] = type }
        if let address { headers[.xForwardedFor] = address }
        let answer = try await server.send(method, path, headers: headers, body: body)
        if let nonce = answer.headers[.dpopNonce] { self.nonce = nonce }
        return answer
    }

    /// Sends JSON, or no body, and returns the JSON of the answer.
    ///
    /// - Throws: the refusal, as a ``AuthAPI/Problem``.
    @discardableResult
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, as credential: Credential = .session
    ) async throws -> JSON {
        try await send(
            method, path, as: credential, type: json == nil ? nil : "application/json", body: json?.encoded
        ).json()
    }

    /// Sends a form of OAuth, and returns the JSON of the answer.
    ///
    /// - Throws: the refusal, as a ``AuthAPI/Problem``.
    @discardableResult
    func form(_ path: String, _ fields: String) async throws -> JSON {
        try await send(
            .post, path, as: .proof, type: "application/x-www-form-urlencoded", body: Array(fields.utf8)
        ).json()
    }

    // MARK: Tokens

    /// Redeems its refresh token, or another one, and keeps the new tokens.
    @discardableResult
    func refresh(_ token: String? = nil) async throws -> TokenResponse {
        let text = try token ?? refreshToken
        let answer = try TokenResponse(
            await call(.post, "/api/auth/token/validate", TokenValidation(refreshToken: text).json, as: .proof))
        tokens = answer
        return answer
    }

    /// Returns whether its access token is accepted.
    func isSignedIn() async throws -> Bool {
        do {
            try await call(.get, "/api/auth/session")
            return true
        } catch let problem as Problem where problem.code == .invalidToken { return false }
    }
}
