internal import AuthSettings
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

@Suite("The operator's logo")
struct PageLogoTests {
    private static let webP = Array("RIFF\u{4}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)
    private static let svg =
        ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z" fill="#123456"/></svg>"##

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
}
