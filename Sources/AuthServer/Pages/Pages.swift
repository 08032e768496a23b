internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The sign-in and account page, built into the program: plain files, no build step, nothing from elsewhere.
struct Pages {
    private struct Asset {
        let path: String
        let type: String
        let bytes: [UInt8]
    }

    private let assets: [Asset]

    /// - Parameters:
    ///   - serviceName: what the operator calls the server (`relying_party.name`). The page shows it in its title and
    ///     headings.
    ///   - signUp: who may make an account: the page asks for a code, or has no form.
    init(serviceName: String, signUp: ServerConfiguration.SignUp) {
        // Put into the document here, and not fetched by a script: it is there at once, and without scripts too.
        let document = String(decoding: PackageResources.index_html, as: UTF8.self)
            .replacing("{{sign up}}", with: signUp.rawValue)
            .replacing("{{service name}}", with: Self.escaped(serviceName))
        assets = [Asset(path: "/", type: "text/html; charset=utf-8", bytes: Array(document.utf8))] + Self.files
    }

    private static let files = [
        Asset(path: "/assets/style.css", type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        Asset(path: "/assets/icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
        Asset(path: "/assets/keys.js", type: javaScript, bytes: PackageResources.keys_js),
        Asset(path: "/assets/proof.js", type: javaScript, bytes: PackageResources.proof_js),
        Asset(path: "/assets/session.js", type: javaScript, bytes: PackageResources.session_js),
        Asset(path: "/assets/names.js", type: javaScript, bytes: PackageResources.names_js),
        Asset(path: "/assets/passkeys.js", type: javaScript, bytes: PackageResources.passkeys_js),
        Asset(path: "/assets/words.js", type: javaScript, bytes: PackageResources.words_js),
        Asset(path: "/assets/view.js", type: javaScript, bytes: PackageResources.view_js),
        Asset(path: "/assets/dialogs.js", type: javaScript, bytes: PackageResources.dialogs_js),
        Asset(path: "/assets/codes.js", type: javaScript, bytes: PackageResources.codes_js),
        Asset(path: "/assets/account.js", type: javaScript, bytes: PackageResources.account_js),
        Asset(path: "/assets/page.js", type: javaScript, bytes: PackageResources.page_js),
    ]
    private static let javaScript = "text/javascript; charset=utf-8"

    /// Returns a text as HTML writes it in an element or in an attribute with quotation marks: no part of it is markup.
    private static func escaped(_ text: String) -> String {
        // By scalars: with a combining mark behind it, a quotation mark would be another character.
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(scalar)
            }
        }.joined()
    }

    /// Scripts and styles of this server only, none in the page itself, connections to nowhere else, no frames.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    func addRoutes(to router: Router<AuthContext>) {
        for asset in assets {
            let tag = "\"\(Base64URL.encode(Array(SHA256.hash(data: asset.bytes)).prefix(12)))\""
            let headers: HTTPFields = [
                .contentType: asset.type, .cacheControl: "no-cache", .eTag: tag,
                .contentSecurityPolicy: Self.contentSecurityPolicy, .crossOriginOpenerPolicy: "same-origin",
                .permissionsPolicy:
                    "publickey-credentials-create=(self), publickey-credentials-get=(self), camera=(), microphone=(), geolocation=()",
            ]
            let body = ByteBuffer(bytes: asset.bytes)
            router.get(RouterPath(asset.path)) { request, _ in
                if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
                return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
            }
        }
    }
}
