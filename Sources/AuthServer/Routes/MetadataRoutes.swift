internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import Hummingbird
internal import NIOCore
internal import ServerHTTP
internal import Tokens

/// The documents about the server: its metadata (RFC 8414), its keys, its origins, its API description.
struct MetadataRoutes: Sendable {
    /// The URL of the server as text.
    let issuer: String
    let origins: [String]
    let signUp: ServerConfiguration.SignUp
    let keys: KeyRing

    func add(to router: Router<ServerContext>) {
        let metadata = metadata
        router.get("/.well-known/oauth-authorization-server") { _, _ in Response.publicJSON(metadata, seconds: 3600) }
        router.get("/.well-known/jwks.json") { _, _ in
            // Caches keep the keys for a much shorter time than a new key is published before its use.
            Response(
                status: .ok,
                headers: [.contentType: "application/jwk-set+json", .cacheControl: "public, max-age=3600"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: keys.current.verification.document)))
        }
        let origins = JSON.object(with: ["origins": .array(self.origins.map(JSON.string))])
        router.get("/.well-known/webauthn") { _, _ in Response.publicJSON(origins, seconds: 3600) }
        router.get("/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=3600"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
        router.get("/problems") { _, _ in Response.text(Self.problems) }
    }

    /// The metadata of RFC 8414. The server has no authorization endpoint: people sign in on the page or in an app, by
    /// passkey, and get their tokens at once. It issues no ID tokens, and no document claims OpenID support.
    private var metadata: JSON {
        .object(with: [
            "issuer": .string(issuer),
            "jwks_uri": .string("\(issuer)/.well-known/jwks.json"),
            "token_endpoint": .string("\(issuer)/api/auth/token"),
            "revocation_endpoint": .string("\(issuer)/api/auth/token/revoke"),
            "introspection_endpoint": .string("\(issuer)/api/auth/token/introspect"),
            "response_types_supported": [],
            "grant_types_supported": ["refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "introspection_endpoint_auth_methods_supported": ["client_secret_basic"],
            "dpop_signing_alg_values_supported": ["ES256"],
            "scopes_supported": [.string(SessionIssuance.scope)],
            "acr_values_supported": ["urn:fueki:aal1", "urn:fueki:aal2", "urn:fueki:aal3"],
            // An extension of this server: `open`, `invitation` or `closed`.
            "fueki_sign_up": .string(signUp.rawValue),
            "service_documentation": .string("\(issuer)/openapi.json"),
        ])
    }

    /// The page that the `type` of a problem links to.
    private static let problems = ProblemCode.allCases.map { code in
        "\(code.rawValue) (\(code.status))\n    \(code.title)\n"
    }.joined(separator: "\n")
}
