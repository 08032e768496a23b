import Foundation
import TestSupport
import Testing

@testable import Redaction

/// Texts without secrets, in millions of bytes: what is redacted in them is a false hit.
@Suite("Ordinary text")
struct OrdinaryTextTests {
    /// The sources, the scripts and the documentation of this repository. The tests have secrets of their own.
    private static func files() throws -> [(path: String, bytes: [UInt8])] {
        let endings = ["swift", "c", "h", "md", "sh", "py", "txt", "json", "modulemap"]
        var files: [(path: String, bytes: [UInt8])] = []
        for folder in ["Sources", "docs", "scripts", "README.md", "CHANGELOG.md", "Package.swift"] {
            let root = "\(Repository.path)/\(folder)"
            let inside = FileManager.default.subpaths(atPath: root)?.sorted() ?? []
            for path in inside.isEmpty ? [root] : inside.map({ "\(root)/\($0)" })
            where endings.contains(where: { path.hasSuffix(".\($0)") }) {
                files.append((path, Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
            }
        }
        return files
    }

    @Test("fewer than one place in a megabyte of sources and documentation is redacted")
    func sources() throws {
        let files = try Self.files()
        let size = files.reduce(0) { $0 + $1.bytes.count }
        #expect(size > 4_000_000)
        var hits: [String] = []
        for (path, bytes) in files {
            for finding in Redactor().find(in: bytes) {
                let around = max(0, finding.range.lowerBound - 40)..<min(bytes.count, finding.range.upperBound + 10)
                hits.append("\(path): \(finding.kind): \(String(decoding: bytes[around], as: UTF8.self))")
            }
        }
        #expect(hits.count < size / 1_000_000, "\(hits.count) in \(size) bytes: \(hits.prefix(12))")
    }

    /// Lines as tools write them, with what looks drawn and is public.
    private static func line(_ random: inout SeededGenerator) -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in "0123456789abcdef".randomElement(using: &random).map(String.init) ?? "" }.joined()
        }
        func text(_ count: Int) -> String {
            let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            return (0..<count).map { _ in characters.randomElement(using: &random).map(String.init) ?? "" }.joined()
        }
        func word() -> String {
            [
                "main", "fix", "token", "password", "key", "feature", "release", "user", "secret-store", "auth",
                "wallet", "seed",
            ]
            .randomElement(using: &random) ?? ""
        }
        let number = Int.random(in: 0...99_999, using: &random)
        switch Int.random(in: 0..<18, using: &random) {
        case 0:
            return
                "GET https://example.com/\(word())/tree?branch=\(word())-\(number)-of-\(word())-and-\(word())&page=2 200"
        case 1: return "\(digits(64))  dist/\(word())-\(number).tar.gz"
        case 2:
            return
                "commit \(digits(40))\nAuthor: Ada <ada@example.com>\n\n    \(word()): do not ask for the \(word()) twice (#\(number))"
        case 3: return "request \(digits(8))-\(digits(4))-4\(digits(3))-a\(digits(3))-\(digits(12)) took \(number) us"
        case 4: return "![x](data:image/png;base64,iVBORw0KGgo\(text(240))=)"
        case 5:
            return
                "    at com.example.\(word())s.Store$\(number % 9).open(Store.java:\(number)) ~[store-1.4.\(number % 7).jar:?]"
        case 6:
            return
                "  File \"/srv/app/\(word().replacing("-", with: "_")).py\", line \(number), in load_\(number % 9)\n    raise KeyError(name)"
        case 7:
            return
                "index \(digits(7))..\(digits(7)) 100644\n@@ -\(number),7 +\(number),9 @@ func \(word())(of id: Int) {"
        case 8: return "sha256:\(digits(64)) \"sha512-\(text(86))==\""
        case 9:
            return
                "\"integrity\": \"sha512-\(text(86))==\", \"resolved\": \"https://registry.example/\(word())/-/x-\(number).tgz#\(digits(40))\""
        case 10: return "key=\(word()) cache_key=\(digits(32)) etag=\"\(digits(32))\" total_tokens=\(number) status=200"
        case 11: return "tx 0x\(digits(64)) from 0x\(digits(40)) to 0x\(digits(40)) nonce \(number)"
        case 12: return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\(text(43)) ada@laptop"
        case 13:
            return
                "{\"level\":\"info\",\"msg\":\"the \(word()) was checked\",\"id\":\"\(digits(24))\",\"us\":\(number)}"
        case 14: return "-----BEGIN CERTIFICATE-----\n\(text(64))\n\(text(64))\n\(text(20))\n-----END CERTIFICATE-----"
        case 15: return "\u{1B}[32mINFO\u{1B}[0m \(word()) opened in \(number) ms, \(number % 9) tokens left"
        case 16: return "W/\"\(text(27))\" Set \(word()): no, \(word()) = \(number % 9), pass \(number % 3) of 3"
        default: return "Compiling \(word()) v0.\(number % 9).\(number % 5) (registry+https://example.com/index)"
        }
    }

    @Test("fewer than one place in a megabyte of generated logs, addresses, hashes and pictures is redacted")
    func generated() {
        var random = SeededGenerator()
        var (size, hits) = (0, [String]())
        while size < 4_000_000 {
            var text = ""
            while text.utf8.count < 200_000 { text += Self.line(&random) + "\n" }
            size += text.utf8.count
            let bytes = Array(text.utf8)
            for finding in Redactor().find(in: bytes) {
                let around = max(0, finding.range.lowerBound - 40)..<min(bytes.count, finding.range.upperBound + 10)
                hits.append("\(finding.kind): \(String(decoding: bytes[around], as: UTF8.self))")
            }
        }
        #expect(hits.count < size / 1_000_000, "\(hits.count) in \(size) bytes: \(hits.prefix(12))")
    }
}
