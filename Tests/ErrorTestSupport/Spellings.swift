internal import Foundation

/// The forms in which a text or bytes could stand in another text.
public struct Spellings: Sendable {
    private let exact: [String]
    private let folded: [String]

    /// Makes the forms of these bytes: text, hexadecimal, Base64 at each of the three offsets, and a list of numbers.
    public init(of bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let base64 = (0..<3).map { offset in
            // The characters that depend on neighbouring bytes are left out.
            let encoded = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
            let whole = encoded.prefix((offset + bytes.count) / 3 * 4)
            return String(whole.dropFirst(offset == 0 ? 0 : 4))
        }
        exact = base64.filter { $0.count >= 8 }
        folded =
            [
                text.lowercased(), bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
                bytes.map(String.init).joined(separator: ", "),
            ].filter { !$0.isEmpty }
    }

    /// Whether a text contains one of the forms.
    public func occur(in text: String) -> Bool {
        let lowered = text.lowercased()
        return exact.contains { text.contains($0) } || folded.contains { lowered.contains($0) }
    }
}
