internal import AuthSettings
internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServerHTTP

/// The sign-in and account page, built into the program: plain files, no build step, nothing from elsewhere.
struct Pages {
    private struct Asset {
        let path: String
        let type: String
        let bytes: [UInt8]
    }

    private let documents: [PageLanguage: [UInt8]]
    private let assets: [Asset]
    private let logo: Reloadable<PageLogo>?

    /// - Parameters:
    ///   - serviceName: the operator's name for the server (`relying_party.name`). The page shows it in its title and
    ///     headings.
    ///   - signUp: who may make an account: the page asks for a code, or has no form.
    ///   - accent: the operator's colour; nil for the default one.
    ///   - logo: the operator's logo, which is shown beside the name and in the browser's tab.
    init(
        serviceName: String, signUp: ServerConfiguration.SignUp, accent: PageColor?, logo: Reloadable<PageLogo>?
    ) {
        let theme = PageTheme(accent: accent)
        let texts = PageLanguage.allCases.map { PageTexts($0) }
        // The server inserts it into the document, so that the page shows it at once, and without scripts too.
        documents = texts.reduce(into: [:]) { documents, texts in
            let document = PageDocument(
                template: String(decoding: PackageResources.index_html, as: UTF8.self), texts: texts,
                service: serviceName,
                values: [
                    "language": texts.language.rawValue,
                    "languages": Self.languageButtons(besides: texts.language),
                    "service": PageDocument.escaped(serviceName),
                    "sign-up": signUp.rawValue, "icon": logo == nil ? "/assets/icon.svg" : "/assets/logo",
                    "logo": logo == nil ? "" : #"<img src="/assets/logo" alt="" height="40">"#,
                ])
            documents[texts.language] = Array(document.html.utf8)
        }
        let icon = String(decoding: PackageResources.icon_svg, as: UTF8.self)
            .replacing("\(PageTheme.usual)", with: "\(theme.light.fill)")
            .replacing("\(PageColor.white)", with: "\(theme.light.onFill)")
        assets =
            Self.files + [
                Asset(path: "/assets/theme.css", type: Self.css, bytes: Array(theme.styleSheet.utf8)),
                Asset(path: "/assets/icon.svg", type: PageLogo.Format.svg.rawValue, bytes: Array(icon.utf8)),
            ]
            + texts.map {
                Asset(path: "/assets/texts.\($0.language.rawValue).js", type: Self.javaScript, bytes: $0.module)
            }
        self.logo = logo
    }

    /// Returns a button for each other language. Its name is in that language, and is marked so for screen readers.
    private static func languageButtons(besides present: PageLanguage) -> String {
        PageLanguage.allCases.filter { $0 != present }.map { language in
            let code = language.rawValue
            let attributes = #"type="button" class="link" lang="\#(code)" data-language="\#(code)""#
            return "<button \(attributes)>\(language.ownName)</button>"
        }.joined(separator: "\n")
    }

    private static let files = [
        Asset(path: "/assets/style.css", type: css, bytes: PackageResources.style_css),
        Asset(path: "/assets/keys.js", type: javaScript, bytes: PackageResources.keys_js),
        Asset(path: "/assets/proof.js", type: javaScript, bytes: PackageResources.proof_js),
        Asset(path: "/assets/session.js", type: javaScript, bytes: PackageResources.session_js),
        Asset(path: "/assets/names.js", type: javaScript, bytes: PackageResources.names_js),
        Asset(path: "/assets/passkeys.js", type: javaScript, bytes: PackageResources.passkeys_js),
        Asset(path: "/assets/words.js", type: javaScript, bytes: PackageResources.words_js),
        Asset(path: "/assets/times.js", type: javaScript, bytes: PackageResources.times_js),
        Asset(path: "/assets/view.js", type: javaScript, bytes: PackageResources.view_js),
        Asset(path: "/assets/dialogs.js", type: javaScript, bytes: PackageResources.dialogs_js),
        Asset(path: "/assets/codes.js", type: javaScript, bytes: PackageResources.codes_js),
        Asset(path: "/assets/timeline.js", type: javaScript, bytes: PackageResources.timeline_js),
        Asset(path: "/assets/account.js", type: javaScript, bytes: PackageResources.account_js),
        Asset(path: "/assets/page.js", type: javaScript, bytes: PackageResources.page_js),
    ]
    private static let javaScript = "text/javascript; charset=utf-8"
    private static let css = "text/css; charset=utf-8"

    /// Scripts and styles of this server only, none in the page itself, connections to nowhere else, no frames.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    /// The security policy of the logo: it runs and loads nothing, even if a user opens it as a document. Inline styles
    /// are allowed, because SVG needs them.
    static let logoSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

    func addRoutes(to router: Router<ServerContext>) {
        let pages = documents.mapValues {
            Page($0, type: "text/html; charset=utf-8", policy: Self.contentSecurityPolicy)
        }
        router.get("/") { request, _ in
            let language =
                PageLanguage.chosen(in: request.headers[.cookie])
                ?? PageLanguage.preferred(by: request.headers[.acceptLanguage])
            guard let page = pages[language] else { preconditionFailure("every language has a document") }
            return page.response(
                to: request, and: [.contentLanguage: language.rawValue, .vary: "Accept-Language, Cookie"])
        }
        for asset in assets {
            let page = Page(asset.bytes, type: asset.type, policy: Self.contentSecurityPolicy)
            router.get(RouterPath(asset.path)) { request, _ in page.response(to: request) }
        }
        if let logo {
            router.get("/assets/logo") { request, _ in
                let logo = logo.current
                return Page(logo.bytes, type: logo.format.rawValue, policy: Self.logoSecurityPolicy)
                    .response(to: request, and: [.crossOriginResourcePolicy: "same-origin"])
            }
        }
    }
}

/// The response for one address of the pages: the same bytes for every client. A browser asks again each time, and gets
/// the bytes only if they changed.
private struct Page: Sendable {
    private let headers: HTTPFields
    private let body: ByteBuffer
    private let tag: String

    init(_ bytes: [UInt8], type: String, policy: String) {
        tag = "\"\(Base64URL.encode(Array(SHA256.hash(data: bytes)).prefix(12)))\""
        headers = [
            .contentType: type, .cacheControl: "no-cache", .eTag: tag,
            .contentSecurityPolicy: policy, .crossOriginOpenerPolicy: "same-origin",
            .permissionsPolicy:
                "publickey-credentials-create=(self), publickey-credentials-get=(self), camera=(), microphone=(), geolocation=()",
        ]
        body = ByteBuffer(bytes: bytes)
    }

    func response(to request: Request, and more: HTTPFields = [:]) -> Response {
        let headers = headers + more
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
