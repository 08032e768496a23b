internal import AsyncHTTPClient
internal import Crypto
internal import Encoding
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Secrets
internal import ServerHTTP
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time
internal import Tokens
internal import WebAuthn

/// A passkey in memory, which several devices may share.
final class Passkey: Sendable {
    let key = P256.Signing.PrivateKey()
    let id: CredentialID
    private let owner = Mutex<UserHandle?>(nil)
    private static let authenticator = SoftwareAuthenticator(aaguid: .zero, backup: .notEligible)

    init() throws { id = try CredentialID(SystemRandom().publicBytes(count: 16)) }

    /// Returns the answer to registration options, and to authentication options.
    func register(_ options: JSON, from origin: String) throws -> JSON {
        let options = try CreationOptions(json: options)
        owner.withLock { $0 = options.user.handle }
        return try Self.authenticator.register(
            options, from: Origin(origin), as: id, with: key, having: [], signCount: 0, consent: .verified
        ).json
    }

    func authenticate(_ options: JSON, from origin: String) throws -> JSON {
        let owner = try #require(owner.withLock { $0 })
        return try Self.authenticator.authenticate(
            RequestOptions(json: options), from: Origin(origin), as: id, of: owner, with: key, signCount: 0,
            consent: .verified
        ).json
    }
}

/// A device that signs in without a browser: its key, its passkey, and its requests to a server over real sockets.
final class Device: Sendable {
    /// The server's answer.
    struct Answer: Sendable {
        let status: Int
        let json: JSON

        var code: String? { json["code"]?.string }
        var refreshToken: String? { json["refresh_token"]?.string }
        var accessToken: String? { json["access_token"]?.string }
    }

    /// The address of its requests, and the URL in their proofs: before a proxy these differ.
    private let address: String
    private let publicURL: String
    /// The key that signs its proofs.
    let key = SigningKey(from: SystemRandom())
    private let passkey: Passkey
    private let nonce = Mutex<String?>(nil)
    private let client: HTTPClient

    /// - Parameter address: `http://host:port`.
    init(at address: String, as publicURL: String? = nil, with passkey: Passkey, client: HTTPClient = .shared) {
        self.address = address
        self.publicURL = publicURL ?? address
        self.client = client
        self.passkey = passkey
    }

    /// Signs up.
    ///
    /// - Returns: the first refresh token and the first access token.
    func signUp() async throws -> Answer {
        let begun = try await send(
            "POST", "/api/auth/passkey/register/options", ["purpose": "sign_up", "account_name": "Ada"])
        let credential = try passkey.register(try #require(begun.json["public_key"]), from: publicURL)
        let answer = try await send(
            "POST", "/api/auth/passkey/register", ["credential": credential, "account_name": "Ada"])
        try #require(answer.status == 200, "\(answer)")
        return Answer(status: 200, json: try #require(answer.json["tokens"]))
    }

    /// Signs in with the passkey, which this device or another one has registered.
    func signIn() async throws -> Answer {
        let begun = try await send("POST", "/api/auth/passkey/authenticate/options", ["purpose": "sign_in"])
        let credential = try passkey.authenticate(try #require(begun.json["public_key"]), from: publicURL)
        let answer = try await send("POST", "/api/auth/passkey/authenticate", ["credential": credential])
        try #require(answer.status == 200, "\(answer)")
        return answer
    }

    func refresh(_ token: String) async throws -> Answer {
        try await send("POST", "/api/auth/token/validate", ["refresh_token": .string(token)])
    }

    /// Refreshes until there is an answer: like a client whose answers are lost, and that is told to wait.
    func refreshUntilAnswered(_ token: String) async throws -> Answer {
        var answer: Answer?
        try await Patience.wait(for: "an answer to a refresh") {
            answer = try? await refresh(token)
            return answer.map { $0.status < 500 && $0.status != 429 } ?? false
        }
        return try #require(answer)
    }

    func session(_ accessToken: String) async throws -> Answer {
        try await send("GET", "/api/auth/session", accessToken: accessToken)
    }

    /// Sends one request, and repeats it with the nonce that the first answer asks for.
    func send(_ method: String, _ path: String, _ body: JSON? = nil, accessToken: String? = nil) async throws -> Answer
    {
        let answer = try await sendOnce(method, path, body, accessToken)
        return answer.code == "use_dpop_nonce" ? try await sendOnce(method, path, body, accessToken) : answer
    }

    /// Returns the beginning of a request: everything except its body.
    private func request(_ method: String, _ path: String, _ token: String?) throws -> HTTPClientRequest {
        let proof = DPoPSigner(key: key).proof(
            method: method, url: try ProofURL(publicURL + path), nonce: nonce.withLock { $0 }, accessToken: token,
            now: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)), random: SystemRandom())
        var request = HTTPClientRequest(url: address + path)
        request.method = HTTPMethod(rawValue: method)
        request.headers.add(name: "DPoP", value: proof)
        if let token { request.headers.add(name: "Authorization", value: "DPoP \(token)") }
        return request
    }

    private func sendOnce(_ method: String, _ path: String, _ body: JSON?, _ token: String?) async throws -> Answer {
        var request = try request(method, path, token)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body.encoded)
        }
        return try await answer(to: request)
    }

    /// Sends a refresh whose body stops in its middle until `pause` returns.
    func refresh(_ token: String, pausing pause: @escaping @Sendable () async -> Void) async throws -> Answer {
        var request = try request("POST", "/api/auth/token/validate", nil)
        request.headers.add(name: "Content-Type", value: "application/json")
        let body = (["refresh_token": .string(token)] as JSON).encoded
        let parts = AsyncStream<ByteBuffer> { continuation in
            continuation.yield(ByteBuffer(bytes: body.prefix(40)))
            Task {
                await pause()
                continuation.yield(ByteBuffer(bytes: body.dropFirst(40)))
                continuation.finish()
            }
        }
        request.body = .stream(parts, length: .known(Int64(body.count)))
        return try await answer(to: request)
    }

    private func answer(to request: HTTPClientRequest) async throws -> Answer {
        let response = try await client.execute(request, timeout: .seconds(Int64(Patience.seconds)))
        if let next = response.headers.first(name: "DPoP-Nonce") { nonce.withLock { $0 = next } }
        let bytes = try await response.body.collect(upTo: 1 << 20)
        let json = try? JSON(decoding: bytes.readableBytesView)
        return Answer(status: Int(response.status.code), json: json ?? .null)
    }
}
