extension JSON {
    /// A number with its text: no digit is lost, and 1.0 differs from 1.
    public struct Number: Hashable, Sendable {
        /// The text, by RFC 8259, section 6: `-12.5e+3`.
        public let text: String

        /// Parses the text of a number (RFC 8259, section 6).
        ///
        /// - Throws: ``EncodingError/badCharacter(offset:)`` or ``EncodingError/truncated`` if the text is not a JSON
        ///   number.
        public init(_ text: String) throws(EncodingError) {
            var reader = JSONReader(Array(text.utf8), depth: 0)
            self = try reader.onlyNumber()
        }

        /// Creates a whole number.
        public init(_ value: some BinaryInteger) { text = String(value) }

        init(unchecked text: String) { self.text = text }

        /// Whether the text has neither a fraction nor an exponent.
        public var isInteger: Bool {
            text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }

        /// Returns the whole number; nil if the text has a fraction or an exponent, if the number does not fit, or if
        /// it is a negative zero.
        public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
            text == "-0" ? nil : Value(text)
        }
    }
}
