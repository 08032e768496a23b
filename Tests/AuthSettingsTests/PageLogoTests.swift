internal import Testing

@testable internal import AuthSettings

@Suite("The file of the operator's logo")
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
}
