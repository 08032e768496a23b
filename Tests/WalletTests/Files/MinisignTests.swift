internal import Bitcoin
import Curves
internal import DisplayText
import Encoding
import HDKeys
import Secrets
import TestSupport
import Testing

@testable import Wallet

/// Known answers are of minisign 0.11, made with the key of these files for a file with the content "hello\\n".
@Suite("minisign's keys and signatures")
struct MinisignTests {
    private static let keyLine = "RWTv7Lu9lD6l0lNYKV0UoYiLAqhFhzbJbyM7De8gLcFGx0p8XH15d6es"
    private static let keyFile = "untrusted comment: minisign public key D2A53E94BDBBECEF\n\(keyLine)\n"
    private static let signatureFile = """
        untrusted comment: signature from minisign secret key
        RUTv7Lu9lD6l0gxacnxCHFNUZC1yeiupoE3raLsK+jjLAsGPcxnKg5+fIEVMAt9ziZ/kcDLYm2pdze3npu5UEYrOHsZjX/pFEQ8=
        trusted comment: timestamp:1700000000\tfile:hello.txt\thashed
        DAp5e1Y11vhUQTTHl/mNxzceoM64v0R3auvspik4JneV8uQ55II7fs0VQEtZwgbklyvH+CJaEzX8nYuJ/YGQDg==

        """
    private static let legacyFile = """
        untrusted comment: signature from minisign secret key
        RWTv7Lu9lD6l0hVoG7WtIoplQ8QWW3CwrKkOziKYH5FWWoCrBWlr69q4Zt5hAu5zTB8UHmrHSZ6kaDg3o6LBOx/aA/JInGDfQA4=
        trusted comment: old
        ormcbIXPwreO6KQPjQcvBp33NiPQs4QiZrmfNuvKZ8xSU6uLuB933mFCXrajz8r+hXZEqiCQ7sK+gtbs1O/xAw==

        """

    private static func digest(_ content: String) -> FileDigest {
        var hasher = FileDigest.Hasher()
        for byte in content.utf8 { hasher.update([byte]) }
        return hasher.finalize()
    }

    private let seed = [UInt8](repeating: 7, count: EdDSA.seedSize)

    private func sign(_ message: [UInt8]) -> [UInt8] {
        EdDSA.sign(message: message, seed: SecretBytes(count: seed.count) { $0.copyBytes(from: seed) })
    }

    /// A file that a key of this test signs, and its signature file.
    private func signed(_ comment: String = "file:a") throws -> (file: FileToSign, signature: MinisignSignature) {
        let publicKey = EdDSA.publicKey(ofSeed: SecretBytes(count: seed.count) { $0.copyBytes(from: seed) })
        let file = try FileToSign(Self.digest("hello\n"), comment: comment, publicKey: publicKey)
        let first = sign(file.message)
        return (
            file,
            try MinisignSignature(
                of: file, signature: first, globalSignature: sign(file.globalMessage(after: first)))
        )
    }

    @Test("a key of minisign is read from its file and from its line, and is written alike")
    func key() throws {
        let key = try MinisignKey(decoding: Self.keyFile)
        #expect(key.text == Self.keyLine && key.file == Self.keyFile && key.idText == "D2A53E94BDBBECEF")
        for text in [Self.keyLine, Self.keyLine + "\n", String(Self.keyFile.dropLast())] {
            #expect(try MinisignKey(decoding: text) == key)
        }
    }

    @Test("a signature of minisign is valid for its file, and its trusted comment is shown safely")
    func known() throws {
        let key = try MinisignKey(decoding: Self.keyFile)
        let signature = try MinisignSignature(decoding: Array(Self.signatureFile.utf8))
        #expect(signature.text + "\n" == Self.signatureFile)
        let comment = try signature.trustedComment(on: Self.digest("hello\n"), by: key)
        #expect(comment.text == "timestamp:1700000000<U+0009>file:hello.txt<U+0009>hashed")
        #expect(throws: MinisignFault.badSignature) {
            try signature.trustedComment(on: Self.digest("hello"), by: key)
        }
    }

    @Test(
        "a key id is written without leading zeros, as minisign does",
        arguments: [
            ([0x2D, 0xC0, 0x80, 0x3C, 0x48, 0xB0, 0xE4, 0x09], "9E4B0483C80C02D"), ([1, 0, 0, 0, 0, 0, 0, 0], "1"),
            ([0, 0, 0, 0, 0, 0, 0, 0xFF], "FF00000000000000"), ([0, 0, 0, 0, 0, 0, 0, 0], "0"),
        ] as [([UInt8], String)])
    func idText(id: [UInt8], text: String) throws {
        let line = Base64.encode(Minisign.plain + id + [UInt8](repeating: 1, count: 32))
        let key = try MinisignKey(decoding: line)
        #expect(key.idText == text && key.file == "untrusted comment: minisign public key \(text)\n\(line)\n")
    }

    @Test("files that minisign wrote on Windows are read: a carriage return before a line feed is dropped")
    func windows() throws {
        let key = try MinisignKey(decoding: Self.keyFile.replacing("\n", with: "\r\n"))
        #expect(try key == MinisignKey(decoding: Self.keyFile))
        for text in [Self.signatureFile, String(Self.signatureFile.dropLast())] {
            let signature = try MinisignSignature(decoding: Array(text.replacing("\n", with: "\r\n").utf8))
            #expect(try signature == MinisignSignature(decoding: Array(Self.signatureFile.utf8)))
            _ = try signature.trustedComment(on: Self.digest("hello\n"), by: key)
        }
    }

    @Test(
        "a comment may begin with a mark, which would belong to the blank before it",
        arguments: ["\u{301}a", "\u{200D}a", "\u{FE0F}a"])
    func marks(comment: String) throws {
        let (file, signature) = try signed(comment)
        let read = try MinisignSignature(decoding: Array(signature.text.utf8))
        #expect(try read.trustedComment(on: file.digest, by: file.key).text.hasSuffix("a"))
        let lines = signature.text.split(separator: "\n")
        let other = [Minisign.untrusted + comment] + lines.dropFirst().map(String.init)
        #expect(throws: Never.self) { try MinisignSignature(decoding: Array(other.joined(separator: "\n").utf8)) }
        #expect(try MinisignKey(decoding: "\(Minisign.untrusted)\(comment)\n\(file.key.text)") == file.key)
    }

    @Test("the trusted comment of another program need not be UTF-8, and is verified by its bytes")
    func bytes() throws {
        let (file, signature) = try signed()
        let first = sign(file.message)
        let comment = Array("file:".utf8) + [0xFF]
        let lines = signature.text.split(separator: "\n")
        let head = Array("\(lines[0])\n\(lines[1])\n\(Minisign.trusted)".utf8)
        let tail = Array("\n\(Base64.encode(sign(first + comment)))\n".utf8)
        let read = try MinisignSignature(decoding: head + comment + tail)
        #expect(try read.trustedComment(on: file.digest, by: file.key).text.hasPrefix("file:"))
        // Another byte is shown alike, and is not the signed one.
        let other = try MinisignSignature(decoding: head + comment.dropLast() + [0xFE] + tail)
        #expect(throws: MinisignFault.badTrustedComment) { try other.trustedComment(on: file.digest, by: file.key) }
        let replaced = try MinisignSignature(decoding: head + Array("file:\u{FFFD}".utf8) + tail)
        #expect(throws: MinisignFault.badTrustedComment) { try replaced.trustedComment(on: file.digest, by: file.key) }
    }

    @Test("a wallet's key id is the beginning of a hash of its key")
    func keyID() throws {
        let (file, _) = try signed()
        #expect(file.key.id == Array(BLAKE2b.hash(file.key.publicKey).prefix(8)))
        #expect(try MinisignKey(decoding: file.key.file) == file.key)
    }

    @Test("a changed comment, digest or global signature, or another key's signature, is not made into a file")
    func ownSignature() throws {
        let (file, _) = try signed()
        let first = sign(file.message)
        let global = sign(file.globalMessage(after: first))
        #expect(throws: MinisignFault.badSignature) {
            try MinisignSignature(of: file, signature: global, globalSignature: global)
        }
        #expect(throws: MinisignFault.badTrustedComment) {
            try MinisignSignature(of: file, signature: first, globalSignature: first)
        }
        #expect(throws: MinisignFault.badTrustedComment) {
            try MinisignSignature(of: file, signature: first, globalSignature: sign(first + Array("file:b".utf8)))
        }
    }

    @Test("a signature with an exchanged comment, or of another key, is refused with the reason")
    func verification() throws {
        let (file, signature) = try signed()
        #expect(try signature.trustedComment(on: file.digest, by: file.key).text == "file:a")
        let changed = try MinisignSignature(
            decoding: Array(signature.text.replacing("file:a", with: "file:b").utf8))
        #expect(throws: MinisignFault.badTrustedComment) { try changed.trustedComment(on: file.digest, by: file.key) }
        let other = try MinisignKey(decoding: Self.keyLine)
        #expect(throws: MinisignFault.otherKey) { try signature.trustedComment(on: file.digest, by: other) }
        // A key that claims the other key's id.
        let lines = signature.text.split(separator: "\n").map(String.init)
        let bytes = try Base64.decode(lines[1])
        let claimed = Base64.encode(bytes[..<2] + other.id + bytes[10...])
        let claiming = try MinisignSignature(
            decoding: Array(signature.text.replacing(lines[1], with: claimed).utf8))
        #expect(throws: MinisignFault.badSignature) { try claiming.trustedComment(on: file.digest, by: other) }
    }

    @Test("a signature of the file itself, without a digest, is refused as such")
    func legacy() {
        #expect(throws: MinisignFault.legacySignature) { try MinisignSignature(decoding: Array(Self.legacyFile.utf8)) }
    }

    @Test("a key or a signature file in any other form is refused")
    func malformed() throws {
        for (text, error) in [
            ("", .unsupported), (Self.keyLine + "\n" + Self.keyLine, .unsupported),
            (Self.keyFile + Self.keyLine, .unsupported), (Self.keyLine + "\n\n", .unsupported),
            (Self.keyLine + "\r", .badCharacter(offset: 56)),
            (Self.keyFile.replacing("\n", with: "\r\r\n"), .badCharacter(offset: 56)),
            (String(Self.keyLine.dropLast(4)), .truncated), (Self.keyLine + "AAAA", .tooLong(limit: 42)),
            ("RU" + Self.keyLine.dropFirst(2), .unsupported),
            (String(repeating: "a", count: 10_241), .tooLong(limit: 10_240)),
        ] as [(String, EncodingError)] {
            #expect(throws: MinisignFault.badKey(error), "\(text.prefix(60))") { try MinisignKey(decoding: text) }
        }
        let lines = Self.signatureFile.split(separator: "\n").map(String.init)
        let files: [([String], EncodingError)] = [
            (Array(lines.dropLast()), .unsupported), (lines + [lines[3]], .unsupported),
            ([lines[2], lines[1], lines[2], lines[3]], .unsupported),
            ([lines[0], lines[1], lines[0], lines[3]], .unsupported),
            ([lines[0], lines[3], lines[2], lines[3]], .unsupported),
            ([lines[0], lines[1], lines[2], String(lines[3].dropLast(4))], .truncated),
            ([lines[0], lines[1], lines[2], " " + lines[3].dropLast()], .badCharacter(offset: 0)),
        ]
        for (lines, error) in files {
            #expect(throws: MinisignFault.badSignatureFile(error)) {
                try MinisignSignature(decoding: Array(lines.joined(separator: "\n").utf8))
            }
        }
    }
}

@Suite("Files to sign")
struct FileToSignTests {
    private static let key = [UInt8](repeating: 9, count: 32)

    private static func file(_ comment: String = "file:a", size: UInt64 = 5, _ byte: UInt8 = 1) throws -> FileToSign {
        try FileToSign(
            FileDigest(size: size, blake2b: [UInt8](repeating: byte, count: 64)), comment: comment, publicKey: key)
    }

    private static func work(_ file: FileToSign) throws -> SigningWork {
        try SigningWork(
            of: .file(file), for: Accounts(taproot: TaprootAccount(groupKey: .generator, network: .regtest)))
    }

    @Test("a comment is one line that a person can read: empty, long or with control characters it is refused")
    func comments() throws {
        for comment in ["", "a\nb", "a\r", "a\tb", "\u{0}", "\u{7F}", "\u{85}", String(repeating: "a", count: 1_025)] {
            #expect(throws: MinisignFault.unsignableComment) { try Self.file(comment) }
        }
        #expect(try Self.file(String(repeating: "ä", count: 512)).comment.utf8.count == 1_024)
    }

    @Test("the second message is longer than the first one, whatever the comment is")
    func messages() throws {
        let file = try Self.file("a")
        #expect(file.message.count == 64 && file.globalMessage(after: [UInt8](repeating: 3, count: 64)).count == 65)
    }

    @Test("the intent shows the digest, the size and the comment; text that misleads is a costly finding")
    func intent() throws {
        let intent = try Self.work(try Self.file()).intent
        #expect(intent.chain == nil && intent.highestFee == nil && intent.findings.isEmpty)
        #expect(
            intent.effects == [
                .file(
                    FileDigest(size: 5, blake2b: [UInt8](repeating: 1, count: 64)),
                    comment: SanitizedText("file:a", limit: 9, lines: .one))
            ])
        for comment in [
            "file:a\u{202E}gpj.exe", "file:a\u{200B}b", "file:\u{430}bc", "a" + String(repeating: " ", count: 40) + "b",
        ] {
            let findings = try Self.work(try Self.file(comment)).intent.findings
            #expect(Set(findings.map(\.name)) == ["odd_text"] && findings.allSatisfy { $0.weight == .costly })
        }
    }

    @Test("another digest, size, comment or key gives another digest to confirm")
    func digests() throws {
        let other = try FileToSign(
            Self.file().digest, comment: "file:a", publicKey: [UInt8](repeating: 8, count: 32))
        let files = [
            try Self.file(), try Self.file("file:b"), try Self.file(size: 6), try Self.file("file:a", size: 5, 2),
            other,
        ]
        #expect(Set(try files.map { try Self.work($0).intent.digest }).count == files.count)
    }

    @Test("the payload has one encoding, and others are refused")
    func encoding() throws {
        let payload = SigningPayload.file(try Self.file())
        let bytes = payload.encoded
        #expect(try SigningPayload(decoding: bytes) == payload)
        #expect(bytes.count == 5 + 32 + 64 + 8 + 6 && bytes.starts(with: [6, 0, 0, 0, 0, 9]))
        #expect(throws: WalletError.malformed(.notCanonical)) {
            try SigningPayload(decoding: [6, 0, 0, 0, 1] + bytes[5...])
        }
        #expect(throws: WalletError.malformed(.truncated)) { try SigningPayload(decoding: Array(bytes[..<100])) }
        #expect(throws: WalletError.malformed(.notCanonical)) { try SigningPayload(decoding: bytes + [0xFF]) }
        #expect(throws: WalletError.malformed(.tooLong(limit: 1_128))) {
            try SigningPayload(decoding: bytes + [UInt8](repeating: 65, count: 1_024))
        }
        for wrong in [Array(bytes.dropLast(6)), bytes + [0x0A], bytes + [0x09]] {
            #expect(throws: WalletError.file(.unsignableComment)) { try SigningPayload(decoding: wrong) }
        }
    }

    @Test("an effect is read from its JSON as it was written")
    func json() throws {
        let effect = try #require(try Self.work(try Self.file("a\u{202E}b")).intent.effects.first)
        #expect(try Effect(json: effect.json) == effect)
        let text = effect.json.text
        for (old, new) in [("\"5\"", "\"05\""), ("0101", "01"), ("\"5\"", "\"-5\"")] {
            let changed = try JSON(decoding: String(text.replacing(old, with: new, maxReplacements: 1)))
            #expect(throws: WalletError.self) { try Effect(json: changed) }
        }
    }

    @Test("a policy decides on files by their own kind, and not with messages")
    func policy() throws {
        let intent = try Self.work(try Self.file()).intent
        let context = PolicyContext(
            now: 0, history: [], known: [], chosen: [], proposed: nil, approvers: [], node: nil)
        func verdict(_ rules: String) throws -> Decision.Verdict {
            try Policy(file: Array("{\"version\": 1, \"rules\": [\(rules)]}".utf8)).decide(on: intent, in: context)
                .verdict
        }
        #expect(try verdict(#"{"name": "a", "if": {"effect": "file"}, "then": "allow"}"#) == .allowed)
        #expect(try verdict(#"{"name": "a", "if": {"effect": "message"}, "then": "allow"}"#) == .denied)
        #expect(Policy.standard.decide(on: intent, in: context).verdict == .allowed)
        // With limits, too: a file costs nothing, and is no permission.
        let limit = #"{"name": "l", "if": {"effect": "payment", "at_most": "1 ETH@ethereum:1"}, "then": "allow"}"#
        #expect(try verdict(limit + #", {"name": "a", "if": {"effect": "file"}, "then": "allow"}"#) == .allowed)
        #expect(try verdict(limit) == .denied)
    }
}
