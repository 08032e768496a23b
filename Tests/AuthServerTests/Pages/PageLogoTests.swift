internal import Foundation
internal import HTTPTypes
internal import ServerHTTP
internal import TestSupport
internal import Testing

@testable internal import AuthServer

@Suite("The operator's logo")
struct PageLogoTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    private static let webP = Array("RIFF\u{4}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)
    private static let svg =
        ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z" fill="#123456"/></svg>"##

    @Test("is what its bytes say that it is")
    func formats() throws {
        #expect(try PageLogo(Self.png).format == .png)
        #expect(try PageLogo(Self.webP).format == .webP)
        for text in [
            Self.svg, "\u{feff}\(Self.svg)", "<?xml version=\"1.0\"?>\n<!-- Drawn by hand -->\n\(Self.svg)",
            "<svg></svg>",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>On the one hand</title></svg>",
        ] {
            #expect(try PageLogo(Array(text.utf8)).format == .svg, "\(text)")
        }
    }

    @Test("is refused if it is anything else")
    func unknown() {
        let gif = Array("GIF89a".utf8)
        let files =
            [[], gif, Array(Self.png.dropLast(13)), Array(Self.webP.dropLast(5)), Array(Self.svg.utf8) + [0xff]]
            + ["<html><svg></svg></html>", "<svgx>", "<svg", "text", "<?xml", "<!-- <svg> "].map { Array($0.utf8) }
        for file in files {
            #expect(throws: PageLogo.Flaw.unknownFormat, "\(file)") { try PageLogo(file) }
        }
    }

    @Test(
        "is refused if a script could be in it",
        arguments: [
            ("<svg><script>alert(1)</script></svg>", "<script"),
            ("<svg><SCRIPT href=\"x\"/></svg>", "<script"),
            ("<svg xmlns:s=\"http://www.w3.org/2000/svg\"><s:script/></svg>", ":script"),
            ("<svg onload=\"alert(1)\"/>", "onload"), ("<svg><path\nonclick = 'x'/></svg>", "onclick"),
            ("<svg><a href=\"JavaScript:alert(1)\"/></svg>", "javascript:"),
            ("<svg><foreignObject/></svg>", "<foreignobject"), ("<svg><iframe/></svg>", "<iframe"),
            ("<?xml version=\"1.0\"?><svg><!DOCTYPE svg [<!ENTITY a \"b\">]></svg>", "<!doctype"),
        ])
    func active(_ text: String, _ word: String) {
        #expect(throws: PageLogo.Flaw.activeContent(word)) { try PageLogo(Array(text.utf8)) }
    }

    @Test("keeps the server from starting if its file is missing, too large or no picture, and the error names it")
    func files() async throws {
        let folder = try TemporaryFolder()
        let large = try folder.write(Self.svg + String(repeating: " ", count: 256 << 10), to: "large.svg")
        let text = try folder.write("no picture", to: "logo.png")
        let active = try folder.write("<svg onload='x'/>", to: "active.svg")
        for (path, reason) in [
            ("\(folder.path)/none", "the file does not exist"), (large, "it is larger than 256 KiB"),
            (text, "it is not a PNG, WebP or SVG image"),
            (active, "an SVG logo with “onload” in it is refused: export it as a plain picture"),
        ] {
            await #expect(throws: StartupError.pageLogo(path, reason)) {
                try await TestServer.with(changing: { $0.page.logoPath = path }) { _ in }
            }
            #expect(throws: StartupError.pageLogo(path, reason)) {
                try Preflight.look(at: ServerConfiguration.PageSettings(accent: nil, logoPath: path), name: "Fueki")
            }
        }
    }

    @Test("is served as the picture that it is, under a policy in which nothing runs, and stands beside the name")
    func served() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.svg, to: "logo")
        try await TestServer.with(changing: { $0.page.logoPath = path }) { server in
            let logo = try await server.send(.get, "/assets/logo")
            #expect(logo.status == 200)
            #expect(logo.text == Self.svg)
            #expect(logo.headers[.contentType] == "image/svg+xml")
            #expect(logo.headers[.xContentTypeOptions] == "nosniff")
            #expect(logo.headers[.crossOriginResourcePolicy] == "same-origin")
            let policy = try #require(logo.headers[.contentSecurityPolicy])
            #expect(policy == "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox")
            let tag = try #require(logo.headers[.eTag])
            #expect(try await server.send(.get, "/assets/logo", headers: [.ifNoneMatch: tag]).status == 304)
            let page = try await server.send(.get, "/")
            #expect(page.text.contains("<p class=\"brand\"><img src=\"/assets/logo\" alt=\"\" height=\"40\">Fueki</p>"))
            #expect(page.text.contains("<link rel=\"icon\" href=\"/assets/logo\">"))
            // The page's own policy is as strict as before.
            #expect(page.headers[.contentSecurityPolicy]?.contains("unsafe") == false)

            // A new file takes its place when the server is told; one that is no picture does not.
            _ = FileManager.default.createFile(atPath: path, contents: Data("no picture".utf8))
            await server.server.reload()
            #expect(try await server.send(.get, "/assets/logo").text == Self.svg)
            #expect(server.log.text.contains("not reloaded"))
            _ = FileManager.default.createFile(atPath: path, contents: Data(Self.webP))
            await server.server.reload()
            #expect(try await server.send(.get, "/assets/logo").headers[.contentType] == "image/webp")
        }
    }

    @Test("and the colour are told by a look before the start, with what the pages make of it")
    func preflight() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.svg, to: "logo")
        func look(_ accent: String?, _ logo: String?) throws -> Preflight.Finding {
            try Preflight.look(
                at: ServerConfiguration.PageSettings(accent: accent.flatMap { PageColor($0) }, logoPath: logo),
                name: "Bank")
        }
        #expect(try look(nil, nil) == Preflight.Finding(isGood: true, about: "page", text: "“Bank”"))
        #expect(
            try look("#ffcc00", nil).text
                == "“Bank”, in #ffcc00, its links in #896e00 on light ground to be readable")
        #expect(
            try look("#808080", nil).text
                == "“Bank”, in #808080, its links in #717171 on light ground and in #878787 on dark ground to be readable"
        )
        #expect(
            try look("#00ff00", path).text.hasSuffix(
                " on light ground to be readable, the logo \(path) (image/svg+xml, 1 KiB)"))
        #expect(try look(nil, path).text == "“Bank”, the logo \(path) (image/svg+xml, 1 KiB)")
    }
}
