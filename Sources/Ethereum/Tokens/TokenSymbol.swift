internal import DisplayText

/// The short name of a token: `USDC`.
///
/// A contract chooses its own symbol, and two contracts can choose the same one. Show a symbol beside the contract's
/// address; it is never a reason to trust the contract: see ``TokenUnit/source``.
public struct TokenSymbol: Hashable, Sendable, CustomStringConvertible {
    /// The symbol: 1 to 12 visible characters, without blanks.
    public let description: String

    /// Creates a symbol.
    ///
    /// - Throws: ``EthereumError/badTokenSymbol`` for an empty text, one that is too long, and one with characters that
    ///   are invisible or look like others.
    public init(_ text: String) throws(EthereumError) {
        let shown = SanitizedText(text, limit: EthereumLimits.symbolCharacters, lines: .one)
        // A quotation mark would end the quotation in which a symbol is shown.
        guard !text.isEmpty, shown.oddities.isEmpty, shown.text.utf8.elementsEqual(text.utf8),
            !text.contains(where: { $0.isWhitespace || $0 == "\"" })
        else { throw .badTokenSymbol }
        description = text
    }

    /// Decodes the answer of the function `symbol()`: a string, or, from contracts older than the last change of
    /// ERC-20, 32 bytes padded with zeros.
    ///
    /// - Throws: ``EthereumError/badTokenSymbol``.
    public init(decoding answer: [UInt8]) throws(EthereumError) {
        let bytes: [UInt8]
        if answer.count == 32 {
            bytes = Array(answer.prefix { $0 != 0 })
            guard answer.dropFirst(bytes.count).allSatisfy({ $0 == 0 }) else { throw .badTokenSymbol }
        } else {
            guard answer.count <= EthereumLimits.symbolAnswerBytes,
                case .string(let text)? = try? ABI.decode(answer, as: [.string]).first
            else { throw .badTokenSymbol }
            bytes = Array(text.utf8)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badTokenSymbol }
        try self.init(text)
    }

    /// The selector of the function `symbol()`: four bytes.
    public static let selector: [UInt8] = [0x95, 0xD8, 0x9B, 0x41]

    /// Returns whether a reader may mistake this symbol for the other one.
    public func resembles(_ other: String) -> Bool {
        SanitizedText.skeleton(of: description) == SanitizedText.skeleton(of: other)
    }
}
