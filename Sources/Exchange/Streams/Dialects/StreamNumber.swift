internal import Encoding

extension Quantity {
    /// Reads a number of a JSON message exactly, also with an exponent; nil if it is negative or too large, or has too
    /// many places.
    init?(number: JSON.Number) {
        let parts = number.text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard let mantissa = parts.first, mantissa.utf8.count <= ExchangeLimits.quantityCharacters else { return nil }
        guard parts.count == 2 else {
            self.init(answer: number.text)
            return
        }
        guard let exponent = Int(parts[1]), abs(exponent) <= ExchangeLimits.quantityCharacters else { return nil }
        let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = halves.first, !whole.hasPrefix("-") else { return nil }
        let fraction = halves.count == 2 ? halves[1] : ""
        // Moves the point, with zeros at both ends, so that the digits stay as they are.
        let zeros = String(repeating: "0", count: abs(exponent))
        let digits = exponent < 0 ? "\(zeros)\(whole)\(fraction)" : "\(whole)\(fraction)\(zeros)"
        let point = whole.utf8.count + (exponent < 0 ? 0 : exponent)
        let before = String(digits.prefix(point).drop { $0 == "0" })
        let text = (before.isEmpty ? "0" : before) + "." + String(digits.dropFirst(point))
        self.init(answer: text.hasSuffix(".") ? String(text.dropLast()) : text)
    }
}
