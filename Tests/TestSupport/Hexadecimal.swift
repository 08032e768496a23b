/// Decodes a hexadecimal literal of a test; spaces and line breaks are ignored.
///
/// It is independent of `Encoding.Hex`, so that a fault there cannot hide itself. It stops the test run if the text is
/// not hexadecimal: that is a mistyped test.
public func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { character -> UInt8 in
        guard character.isASCII, let digit = character.hexDigitValue else {
            preconditionFailure("not hexadecimal: \(text)")
        }
        return UInt8(digit)
    }
    precondition(digits.count.isMultiple(of: 2), "half a byte is missing: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The bytes as lower-case hexadecimal, for messages and comparisons.
public func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
