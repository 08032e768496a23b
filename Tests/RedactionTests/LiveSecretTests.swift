import Encoding
import Secrets
import TestSupport
import Testing

@testable import Redaction

@Suite("Live secrets in texts")
struct LiveSecretTests {
    /// The encodings that a log contains.
    enum Form: CaseIterable, Sendable {
        case plain, hex, upperHex, mixedHex, base64, base64At1, base64At2, base64url, percent, allPercent, json,
            jsonUnits,
            percentInJSON, hexInJSON, wrappedBase64, wrappedHex, indentedBase64, hexPairs, hexColons, hexGroups,
            hexArray,
            byteArray, byteLines

        func text(of bytes: [UInt8]) -> String {
            switch self {
            case .plain: String(decoding: bytes, as: UTF8.self)
            case .hex: Hex.encode(bytes)
            case .upperHex: Hex.encode(bytes).uppercased()
            case .mixedHex:
                String(
                    Hex.encode(bytes).enumerated().map {
                        $0.offset % 3 == 0 ? Character($0.element.uppercased()) : $0.element
                    })
            case .base64: base64(bytes)
            case .base64At1: base64([0x41] + bytes)
            case .base64At2: base64([0x41, 0x42] + bytes)
            case .base64url: base64(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            case .percent: percent(bytes) { !($0 < 0x80 && Character(Unicode.Scalar($0)).isLetter) }
            case .allPercent: percent(bytes) { _ in true }
            case .json: "{\"message\":\"\(escaped(bytes))\"}"
            case .jsonUnits: bytes.map { "\\u00" + Hex.encode([$0]) }.joined()
            case .percentInJSON: "{\"url\":\"\\/?q=\(percent(bytes) { _ in true })\"}"
            case .wrappedBase64: wrapped(base64(bytes), at: 16, "\r\n")
            case .wrappedHex: wrapped(Hex.encode(bytes), at: 20, "\n")
            case .indentedBase64: wrapped(base64(bytes), at: 12, "\n        ")
            case .hexPairs: bytes.map { Hex.encode([$0]) }.joined(separator: " ")
            case .hexColons: bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
            case .hexGroups: wrapped(Hex.encode(bytes), at: 4, " ")
            case .hexArray: bytes.map { "0x" + Hex.encode([$0]) }.joined(separator: ", ")
            case .byteArray: "\(bytes)"
            case .byteLines: bytes.map(String.init).joined(separator: ",\n  ")
            case .hexInJSON: "{\"data\":\"\\\"\(Hex.encode(bytes))\\\"\"}"
            }
        }

        /// Whether it writes any bytes, and not only those of text.
        var isBinary: Bool { ![.plain, .json, .jsonUnits].contains(self) }

        private func wrapped(_ text: String, at width: Int, _ end: String) -> String {
            stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }
                .joined(separator: end)
        }

        private func base64(_ bytes: [UInt8]) -> String { Base64.encode(bytes) }

        private func percent(_ bytes: [UInt8], _ isEncoded: (UInt8) -> Bool) -> String {
            bytes.map { isEncoded($0) ? "%" + Hex.encode([$0]).uppercased() : String(Unicode.Scalar($0)) }.joined()
        }

        private func escaped(_ bytes: [UInt8]) -> String {
            String(decoding: bytes, as: UTF8.self).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("/", with: "\\/")
        }
    }

    private static let characters = Array("ABCxyz0189+/=-_ !\"\\$%&".utf8)

    private static func secret(_ size: Int, isBinary: Bool, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<size).map { _ in
            isBinary ? .random(in: 0x2A...255, using: &random) : characters.randomElement(using: &random) ?? 0
        }
    }

    @Test("no piece of eight bytes of a registered secret is left, in whatever encoding", arguments: Form.allCases)
    func pieces(_ form: Form) throws {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let size = Int.random(in: 8...64, using: &random)
            var secret = Self.secret(size, isBinary: form.isBinary, &random)
            let whole = secret
            let live = LiveSecrets()
            let registered = try live.register(SecretBytes(moving: &secret))
            let piece = Int.random(in: 0...(size - 8), using: &random)
            let bytes = Array(whole[piece..<Int.random(in: (piece + 8)...size, using: &random)])
            let text = "before (" + form.text(of: bytes) + ") after"
            let redacted = Redactor(live).redacted(text)
            #expect(redacted.hasPrefix("before ("), "\(text)")
            #expect(redacted.hasSuffix(" after"), "\(text)")
            // What is left beside the marker has too few characters for eight bytes.
            let left = redacted.replacing(RedactedKind.secret.marker, with: "|").dropFirst(8).dropLast(7)
            #expect(redacted.contains(RedactedKind.secret.marker), "\(text) of \(whole)")
            #expect(
                !left.replacing("{\"message\":\"", with: "").replacing("{\"data\":\"", with: "")
                    .replacing("{\"url\":\"\\/?q=", with: "").contains { $0.isLetter || $0.isNumber }
                    || left.utf8.count < 40, "\(redacted)")
            for start in 0...(bytes.count - 8) {
                #expect(!redacted.contains(form.text(of: Array(bytes[start..<(start + 8)]))))
            }
            #expect(Redactor(live).redacted(redacted) == redacted)
            _ = consume registered
        }
    }

    @Test("a secret that is dropped is no longer looked for")
    func dropped() throws {
        let live = LiveSecrets()
        var bytes = Array("correct horse battery".utf8)
        do {
            let registered = try live.register(SecretBytes(moving: &bytes))
            #expect(Redactor(live).redacted("a correct horse battery") == "a [redacted: secret]")
            _ = consume registered
        }
        #expect(Redactor(live).redacted("a correct horse battery") == "a correct horse battery")
        #expect(live.windows() == nil)
    }

    @Test("a short secret, a very long one, and one too many are refused")
    func bounds() throws {
        let live = LiveSecrets()
        #expect(throws: RedactionError.secretTooShort(7)) {
            _ = try live.register(SecretBytes(count: 7, from: SystemRandom()))
        }
        #expect(throws: RedactionError.secretTooLong(4_097)) {
            _ = try live.register(SecretBytes(count: 4_097, from: SystemRandom()))
        }
        final class Kept { let secret: LiveSecret; init(_ secret: consuming LiveSecret) { self.secret = secret } }
        var kept: [Kept] = []
        for _ in 0..<RedactionLimits.liveSecrets {
            kept.append(Kept(try live.register(SecretBytes(count: 8, from: SystemRandom()))))
        }
        #expect(throws: RedactionError.tooManySecrets) {
            _ = try live.register(SecretBytes(count: 8, from: SystemRandom()))
        }
        kept.removeLast()
        kept.append(Kept(try live.register(SecretBytes(count: 8, from: SystemRandom()))))
        #expect(kept.count == RedactionLimits.liveSecrets)
    }

    @Test("pieces of fewer than eight bytes, and what only looks alike, stay")
    func others() throws {
        let live = LiveSecrets()
        var bytes: [UInt8] = Array(0x30..<0x50)
        let text = Hex.encode(bytes)
        let registered = try live.register(SecretBytes(moving: &bytes))
        for harmless in [String(text.prefix(14)), "0123456 ABCDEFG", "block 00000000000000000001", "MDEyMzQ1"] {
            #expect(Redactor(live).redacted(harmless) == harmless)
        }
        _ = consume registered
    }
}
