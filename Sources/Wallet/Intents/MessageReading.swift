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
                Finding("cut_text", "it is too long to be shown in full", .refusal))
        }
        if text == nil {
            findings.append(Finding("not_text", "it is not text, so that its meaning cannot be shown", .costly))
        }
        if bytes.count == 32 {
            findings.append(Finding("hash_sized", "it has the size of a hash of something unknown", .costly))
        }
        self.findings = findings
    }
}
