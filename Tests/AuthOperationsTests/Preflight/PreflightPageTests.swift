internal import TestSupport
internal import Testing

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthSettings

@Suite("A look at the pages before the start")
struct PreflightPageTests {
    private static let svg =
        ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z" fill="#123456"/></svg>"##

    @Test("tells the logo and the colour, with what the pages make of it")
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
