internal import Amounts
public import ExchangeCredentials

/// An exact decimal number, not negative, with at most 18 places: an amount or a price.
public struct Quantity: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number times 10^18.
    private let scaled: UInt256

    /// Zero.
    public static let zero = Quantity(scaled: UInt256.zero)

    private init(scaled: UInt256) { self.scaled = scaled }

    /// Reads a positive number for an order: digits, with a point between digits. A sign, an exponent, a comma and
    /// spaces are refused.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)``.
    public init(_ text: String, for field: InputField) throws(ExchangeError) {
        switch Self.read(text) {
        case .success(let value):
            guard value != .zero else { throw .invalid(field, .zero) }
            self = value
        case .failure(let fault): throw .invalid(field, fault.fault)
        }
    }

    /// Reads a number of an exchange's answer, which can be zero and can have zeros at its end beyond the places; nil
    /// if it is not a number.
    init?(answer text: String) {
        var text = text
        // Kraken pads with zeros, and a number without a meaning in its last places must not hide the others.
        if text.utf8.contains(UInt8(ascii: ".")) {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        guard case .success(let value) = Self.read(text) else { return nil }
        self = value
    }

    /// The number without zeros at the end, such as `0.00001` or `7`.
    public var description: String { DecimalText.short(scaled, Self.places) }

    /// Whether the number is zero.
    public var isZero: Bool { scaled == UInt256.zero }

    /// Returns whether one number is less than another.
    public static func < (left: Quantity, right: Quantity) -> Bool { left.scaled < right.scaled }

    private static let places = Decimals.ether
    private struct Fault: Error { let fault: InputFault }

    private static let highest: UInt256 =
        (try? DecimalText.read(ExchangeLimits.highestQuantity, places)) ?? UInt256.maximum

    private static func read(_ text: String) -> Result<Quantity, Fault> {
        func refuse(_ fault: InputFault) -> Result<Quantity, Fault> { .failure(Fault(fault: fault)) }
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first else { return refuse(.empty) }
        guard scalars.count <= ExchangeLimits.quantityCharacters else {
            return refuse(.tooLong(most: ExchangeLimits.quantityCharacters))
        }
        if first == "-" || first == "+" { return refuse(.sign) }
        if let offset = scalars.firstIndex(of: ",") { return refuse(.comma(offset: offset)) }
        if InputCheck.isDigit(first), scalars.contains(where: { $0 == "e" || $0 == "E" }) { return refuse(.exponent) }
        if let fault = InputCheck.fault(in: scalars, allowing: { InputCheck.isDigit($0) || $0 == "." }) {
            return refuse(fault)
        }
        let parts = scalars.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { return refuse(.notANumber) }
        if parts.count == 2, parts[1].count > ExchangeLimits.decimalPlaces {
            return refuse(.tooManyDecimals(most: ExchangeLimits.decimalPlaces))
        }
        guard let value = try? DecimalText.read(text, places) else { return refuse(.tooLarge) }
        return value > highest ? refuse(.tooLarge) : .success(Quantity(scaled: value))
    }
}
