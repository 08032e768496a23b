internal import Encoding
internal import HTTPTypes
internal import Testing

/// An endpoint as the tests know it. Another test checks that the list is complete.
struct Endpoint: Sendable, CustomTestStringConvertible {
    let method: HTTPRequest.Method
    /// The path as in the router, with `{id}`.
    let path: String
    let access: Access
    let body: Body

    /// The credentials that it requires.
    enum Access: Sendable {
        /// None.
        case open
        /// A proof.
        case device
        /// A proof, with or without a session.
        case either
        /// A session.
        case session
        /// The secret of a configured client.
        case client
    }

    enum Body: Sendable {
        case none, json, form

        var type: String? {
            switch self {
            case .none: nil
            case .json: "application/json"
            case .form: "application/x-www-form-urlencoded"
            }
        }
    }

    init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ body: Body = .none) {
        self.method = method
        self.path = path
        self.access = access
        self.body = body
    }

    var testDescription: String { "\(method.rawValue) \(path)" }

    /// The path with an unknown id.
    var filledPath: String { path.replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA") }

    static let all: [Endpoint] = [
        Endpoint(.post, "/api/auth/passkey/register/options", .either, .json),
        Endpoint(.post, "/api/auth/passkey/register", .either, .json),
        Endpoint(.post, "/api/auth/passkey/authenticate/options", .either, .json),
        Endpoint(.post, "/api/auth/passkey/authenticate", .either, .json),
        Endpoint(.get, "/api/auth/passkeys", .session),
        Endpoint(.patch, "/api/auth/passkeys/{id}", .session, .json),
        Endpoint(.delete, "/api/auth/passkeys/{id}", .session),
        Endpoint(.post, "/api/auth/token/validate", .device, .json),
        Endpoint(.post, "/api/auth/token", .device, .form),
        Endpoint(.post, "/api/auth/token/revoke", .open, .form),
        Endpoint(.post, "/api/auth/token/introspect", .client, .form),
        Endpoint(.get, "/api/auth/session", .session),
        Endpoint(.get, "/api/auth/sessions", .session),
        Endpoint(.delete, "/api/auth/sessions/{id}", .session),
        Endpoint(.post, "/api/auth/sessions/revoke-others", .session),
        Endpoint(.post, "/api/auth/logout", .session),
        Endpoint(.get, "/api/auth/devices", .session),
        Endpoint(.patch, "/api/auth/devices/{id}", .session, .json),
        Endpoint(.delete, "/api/auth/devices/{id}", .session),
        Endpoint(.post, "/api/auth/device/attest/options", .session),
        Endpoint(.post, "/api/auth/device/attest", .session, .json),
        Endpoint(.post, "/api/auth/recovery/options", .device, .json),
        Endpoint(.post, "/api/auth/recovery/codes", .session),
        Endpoint(.get, "/api/account/export", .session),
        Endpoint(.get, "/api/account/events", .session),
        Endpoint(.delete, "/api/account", .session),
        Endpoint(.get, "/.well-known/oauth-authorization-server", .open),
        Endpoint(.get, "/.well-known/jwks.json", .open),
        Endpoint(.get, "/.well-known/webauthn", .open),
        Endpoint(.get, "/audit/checkpoint", .open),
        Endpoint(.get, "/audit/witness-key", .open),
        Endpoint(.post, "/audit/add-checkpoint", .open),
        Endpoint(.get, "/openapi.json", .open),
        Endpoint(.get, "/problems", .open),
        Endpoint(.get, "/healthz", .open),
        Endpoint(.get, "/readyz", .open),
        Endpoint(.get, "/metrics", .open),
    ]

    /// The paths of the page and its files.
    static let pages = [
        "/", "/assets/style.css", "/assets/theme.css", "/assets/icon.svg", "/assets/texts.en.js", "/assets/texts.de.js",
        "/assets/keys.js", "/assets/proof.js", "/assets/session.js",
        "/assets/names.js", "/assets/passkeys.js", "/assets/words.js", "/assets/times.js", "/assets/view.js",
        "/assets/dialogs.js", "/assets/codes.js", "/assets/timeline.js", "/assets/account.js", "/assets/page.js",
    ]

    static let withProof = all.filter { [.device, .either, .session].contains($0.access) }
    static let withSession = all.filter { $0.access == .session }
    static let withBody = all.filter { $0.body != .none }

    /// Returns the parts of a valid request to it.
    var credential: Device.Credential { access == .session ? .session : .proof }

    /// RFC 9449: 400 of the authorization server, 401 of a resource.
    var proofStatus: Int { access == .session ? 401 : 400 }
}
