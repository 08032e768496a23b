/// Conversion between whole numbers of the smallest unit and text in a larger one: exact in both directions, and the
/// same on every platform.
public enum DecimalText {
    /// Reads `1.5` or `0.00001000`: digits, with a point between digits and at most `decimals` digits after it. A sign,
    /// an exponent, grouping and spaces are refused.
    ///
    /// - Throws: ``AmountError/malformed``, or ``AmountError/outOfRange`` above ``UInt256/maximum``.
    public static func read(_ text: String, _ decimals: Decimals) throws(AmountError) -> UInt256 {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty else { throw .malformed }
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        guard parts.count == 1 || (1...max(1, decimals.count)).contains(fraction.count),
            fraction.count <= decimals.count
        else { throw .malformed }
        let padding = [UInt8](repeating: UInt8(ascii: "0"), count: decimals.count - fraction.count)
        return try UInt256(decimal: String(decoding: Array(whole) + fraction + padding, as: UTF8.self))
    }

    /// Returns the text with all places, such as `0.00001000`.
    public static func full(_ value: UInt256, _ decimals: Decimals) -> String {
        let digits = value.description
        guard decimals.count > 0 else { return digits }
        let padding = String(repeating: "0", count: max(0, decimals.count + 1 - digits.utf8.count))
        let all = Array((padding + digits).utf8)
        let (whole, fraction) = (all.dropLast(decimals.count), all.suffix(decimals.count))
        return String(decoding: whole + [UInt8(ascii: ".")] + fraction, as: UTF8.self)
    }

    /// Returns the text without zeros at the end, such as `0.00001` or `7`.
    public static func short(_ value: UInt256, _ decimals: Decimals) -> String {
        guard decimals.count > 0 else { return value.description }
        var text = Array(full(value, decimals).utf8)
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }
}
