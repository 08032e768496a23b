internal import Crypto
internal import Encoding
internal import Secrets
internal import Time
internal import Tokens
internal import WebAuthn

/// A person with one passkey and one device, who signs in repeatedly.
struct Client {
    struct Refused: Error { let status: Int }

    let signer: DPoPSigner
    private let key = P256.Signing.PrivateKey()
    private let credential: CredentialID
    private let authenticator = SoftwareAuthenticator(aaguid: .zero, backup: .notEligible)
    private let origin: Origin
    private var connection: Connection
    private let url: String
    private(set) var nonce: String?

    init(port: UInt16, url: String) throws {
        self.url = url
        connection = try Connection(port: port)
        signer = DPoPSigner(key: SigningKey(from: SystemRandom()))
        credential = try CredentialID(SystemRandom().publicBytes(count: 16))
        origin = try Origin(url)
    }

    /// Returns the same person and device on another connection.
    func onAnotherConnection(port: UInt16) throws -> Client {
        var other = self
        other.connection = try Connection(port: port)
        return other
    }

    static let validation = "/api/auth/token/validate"

    /// Returns a proof for one request.
    func proof(_ path: String, method: String = "POST", accessToken: String? = nil) throws -> String {
        signer.proof(
            method: method, url: try ProofURL(url + path), nonce: nonce, accessToken: accessToken, now: Client.now,
            random: SystemRandom())
    }

    /// Requests a resource of the account, and returns the status of the answer.
    mutating func get(_ path: String, accessToken: String) throws -> Int {
        for _ in 0..<2 {
            let answer = try connection.get(
                path, proof: try proof(path, method: "GET", accessToken: accessToken), token: accessToken)
            nonce = answer.nonce ?? nonce
            guard answer.status == 401, try JSON(decoding: answer.body)["code"] == "use_dpop_nonce" else {
                return answer.status
            }
        }
        throw Refused(status: 401)
    }

    private static var now: Timestamp { Timestamp(seconds: Int64(Clock.seconds)) }

    private mutating func ask(_ path: String, _ body: JSON) throws -> JSON {
        for _ in 0..<2 {
            let answer = try connection.post(path, proof: try proof(path), body: body.encoded)
            nonce = answer.nonce ?? nonce
            let json = try JSON(decoding: answer.body)
            if answer.status == 200 { return json }
            guard json["code"] == "use_dpop_nonce" else { throw Refused(status: answer.status) }
        }
        throw Refused(status: 400)
    }

    mutating func signUp() throws {
        let options = try ask(
            "/api/auth/passkey/register/options", ["purpose": "sign_up", "account_name": "Benchmark"])
        guard let publicKey = options["public_key"] else { throw Refused(status: 200) }
        let response = try authenticator.register(
            try CreationOptions(json: publicKey), from: origin, as: credential, with: key, having: [],
            signCount: 0, consent: .verified)
        user = UserHandle?.some(try CreationOptions(json: publicKey).user.handle)
        _ = try ask("/api/auth/passkey/register", ["credential": response.json, "account_name": "Benchmark"])
    }

    private var user: UserHandle?

    /// The id of the account, after ``signUp()``.
    var account: String { user.map { Hex.encode($0.bytes) } ?? "" }

    /// Signs in, and returns the refresh token.
    mutating func signIn() throws -> String { try signInForTokens().refresh }

    /// Signs in, and returns both tokens.
    mutating func signInForTokens() throws -> (access: String, refresh: String) {
        let options = try ask("/api/auth/passkey/authenticate/options", ["purpose": "sign_in"])
        guard let publicKey = options["public_key"], let user else { throw Refused(status: 200) }
        let response = try authenticator.authenticate(
            try RequestOptions(json: publicKey), from: origin, as: credential, of: user, with: key, signCount: 0,
            consent: .verified)
        let answer = try ask("/api/auth/passkey/authenticate", ["credential": response.json])
        guard let access = answer["access_token"]?.string, let refresh = answer["refresh_token"]?.string else {
            throw Refused(status: 200)
        }
        return (access, refresh)
    }
}
