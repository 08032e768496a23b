public import DisplayText
internal import Encoding
internal import Ethereum

/// A message in readable form, with its findings.
public struct MessageReading: Equatable, Sendable {
    /// The text; hexadecimal if the bytes are not text.
    public let text: SanitizedText
    /// The findings about the message.
    public let findings: [Finding]

    /// Reads the bytes of a message.
    public init(_ bytes: [UInt8]) {
        let text = String(validating: bytes, as: UTF8.self)
        self.text = SanitizedText(
            text ?? "0x" + Hex.encode(bytes), limit: EthereumLimits.shownMessageCharacters, lines: .several)
        var findings = self.text.oddities.filter { $0 != .cut }.map { Finding("odd_text", $0.description, .costly) }
        if self.text.oddities.contains(.cut) {
            findings.append(
                Finding("cut_text", "it is longer than anybody reads, and is not shown to its end", .refusal))
        }
        if text == nil {
            findings.append(Finding("not_text", "it is no text, so that nobody can tell what it means", .costly))
        }
        if bytes.count == 32 {
            findings.append(Finding("hash_sized", "it has the size of a hash: of what, cannot be told", .costly))
        }
        self.findings = findings
    }
}
