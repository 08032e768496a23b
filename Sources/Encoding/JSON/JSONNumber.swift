extension JSON {
    /// A number as it is written: no digit is lost, and 1.0 is not 1.
    public struct Number: Hashable, Sendable {
        /// As RFC 8259, section 6 has it: `-12.5e+3`.
        public let text: String

        /// Reads the text of a number (RFC 8259, section 6).
        ///
        /// - Throws: ``EncodingError/badCharacter(offset:)`` or ``EncodingError/truncated`` if it is no number of JSON.
        public init(_ text: String) throws(EncodingError) {
            var reader = JSONReader(Array(text.utf8), depth: 0)
            self = try reader.onlyNumber()
        }

        /// A whole number.
        public init(_ value: some BinaryInteger) { text = String(value) }

        init(unchecked text: String) { self.text = text }

        /// Whether it is written without a fraction and without an exponent.
        public var isInteger: Bool {
            text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }

        /// The whole number; nil if it is written with a fraction or an exponent, does not fit, or is a negative zero.
        public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
            text == "-0" ? nil : Value(text)
        }
    }
}
