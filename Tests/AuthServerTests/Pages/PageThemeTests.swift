internal import HTTPTypes
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import AuthSettings

@Suite("The colours of the page")
struct PageThemeTests {
    /// The colours of a style sheet by their names, in light and dark.
    private static func colors(in sheet: String) throws -> [String: [PageColor]] {
        var colors: [String: [PageColor]] = [:]
        for match in sheet.matches(of: /--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/) {
            colors[String(match.output.1)] = [
                try #require(PageColor(String(match.output.2))), try #require(PageColor(String(match.output.3))),
            ]
        }
        return colors
    }

    private static let sheet = String(decoding: PackageResources.style_css, as: UTF8.self)

    @Test("have the contrast that WCAG 2.2 wants, in light and in dark")
    func contrast() throws {
        let colors = try Self.colors(in: Self.sheet + PageTheme(accent: nil).styleSheet)
        #expect(colors.count == 12)
        let texts = [
            ("text", "ground"), ("text", "card"), ("soft", "ground"), ("soft", "card"), ("accent", "ground"),
            ("accent", "card"), ("danger", "ground"), ("danger", "card"), ("on-fill", "fill"),
            ("on-danger", "danger"),
        ]
        // Edges of controls, and marks that say something (1.4.11).
        let edges = [("edge", "ground"), ("edge", "card"), ("warning", "card"), ("warning", "ground")]
        for (pairs, least) in [(texts, 4.5), (edges, 3)] {
            for (one, two) in pairs {
                let (first, second) = (try #require(colors[one]), try #require(colors[two]))
                for scheme in 0..<2 {
                    let contrast = first[scheme].contrast(with: second[scheme])
                    #expect(contrast >= least, "\(one) on \(two), \(["light", "dark"][scheme]): \(contrast)")
                }
            }
        }
    }

    @Test("are where the accent's contrast is computed the same as in the style sheet")
    func grounds() throws {
        let colors = try Self.colors(in: Self.sheet)
        #expect(PageTheme.lightGrounds == [colors["card"]?[0], colors["ground"]?[0]])
        #expect(PageTheme.darkGrounds == [colors["card"]?[1], colors["ground"]?[1]])
        // Everything else names them: no colour stands anywhere else.
        let rest = Self.sheet.replacing(/--[a-z-]+: light-dark\([^)]*\);/, with: "")
        #expect(rest.firstMatch(of: /#[0-9a-f]{3,8}\b/.ignoresCase()) == nil)
    }

    @Test("can be read whatever colour the operator chooses")
    func accents() throws {
        let steps: [UInt8] = [0, 1, 51, 102, 127, 128, 153, 204, 254, 255]
        for red in steps {
            for green in steps {
                for blue in steps {
                    let theme = PageTheme(accent: PageColor(red: red, green: green, blue: blue))
                    for (scheme, grounds) in [
                        (theme.light, PageTheme.lightGrounds), (theme.dark, PageTheme.darkGrounds),
                    ] {
                        #expect(scheme.fill.contrast(with: scheme.onFill) >= 4.5, "\(scheme.fill)")
                        for ground in grounds {
                            #expect(scheme.accent.contrast(with: ground) >= 4.5, "\(scheme.accent) with \(ground)")
                        }
                    }
                }
            }
        }
    }

    @Test("are the operator's as they are where they can be read, and otherwise near them")
    func adjusted() throws {
        let blue = try #require(PageColor("#0b57d0"))
        #expect(PageTheme(accent: blue).light == PageTheme.Scheme(fill: blue, onFill: .white, accent: blue))
        let yellow = try #require(PageColor("#ffcc00"))
        let theme = PageTheme(accent: yellow)
        #expect(theme.dark == PageTheme.Scheme(fill: yellow, onFill: .black, accent: yellow))
        #expect(theme.light.fill == yellow && theme.light.onFill == .black)
        // Darker, and still yellow: no blue, and red before green.
        #expect(theme.light.accent.blue == 0 && theme.light.accent.red > theme.light.accent.green)
        #expect(theme.light.accent.contrast(with: .white) < 6)
        #expect(PageTheme(accent: nil) == PageTheme(accent: PageTheme.usual))
    }

    @Test("are contrasted as WCAG 2.2 defines it")
    func definition() throws {
        #expect(PageColor.white.contrast(with: .black) == 21)
        #expect(PageColor.white.contrast(with: .white) == 1)
        // Examples of the W3C's pages on the technique G18.
        let gray = try #require(PageColor("#767676"))
        #expect((4.53...4.55).contains(gray.contrast(with: .white)))
        let lighter = try #require(PageColor("#777777"))
        #expect((4.47...4.49).contains(lighter.contrast(with: .white)))
    }

    @Test("of the operator are in the style sheet and in the icon that are served")
    func served() async throws {
        try await TestServer.with(changing: { $0.page.accent = PageColor("#0b57d0") }) { server in
            let sheet = try await server.send(.get, "/assets/theme.css")
            #expect(sheet.headers[.contentType] == "text/css; charset=utf-8")
            #expect(sheet.text.contains("--fill: light-dark(#0b57d0, #0b57d0);"))
            #expect(try await server.send(.get, "/assets/icon.svg").text.contains("#0b57d0"))
            #expect(try await server.send(.get, "/assets/logo").status == 404)
        }
    }
}
