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

    private static let assets = [
        Asset(path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        Asset(path: "/assets/style.css", type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        Asset(path: "/assets/icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
        Asset(path: "/assets/keys.js", type: javaScript, bytes: PackageResources.keys_js),
        Asset(path: "/assets/proof.js", type: javaScript, bytes: PackageResources.proof_js),
        Asset(path: "/assets/session.js", type: javaScript, bytes: PackageResources.session_js),
        Asset(path: "/assets/passkeys.js", type: javaScript, bytes: PackageResources.passkeys_js),
        Asset(path: "/assets/page.js", type: javaScript, bytes: PackageResources.page_js),
    ]
    private static let javaScript = "text/javascript; charset=utf-8"

    /// Scripts and styles of this server only, none in the page itself, connections to nowhere else, no frames.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    func addRoutes(to router: Router<AuthContext>) {
        for asset in Self.assets {
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
