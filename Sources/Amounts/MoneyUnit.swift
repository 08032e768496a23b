/// A unit that a user may write after an amount.
public enum MoneyUnit: String, CaseIterable, Sendable {
    /// The smallest unit of ether.
    case wei
    /// A gwei: 10^9 wei.
    case gwei
    /// An ether: 10^18 wei.
    case eth
    /// The smallest unit of bitcoin.
    case sat
    /// A bitcoin: 10^8 satoshi.
    case btc

    /// The number of decimal places of an amount in this unit.
    public var decimals: Decimals {
        switch self {
        case .wei, .sat: .none
        case .gwei: .gwei
        case .eth: .ether
        case .btc: .bitcoin
        }
    }

    /// Reads `0.1eth`, `30 gwei` or `1500sat`: a number as ``DecimalText`` has it, at most one space, and the name of a unit
    /// in lower or upper case.
    ///
    /// - Returns: the amount in the smallest unit of its coin, and the unit, which determines the coin.
    /// - Throws: ``AmountError/malformed``, also without a unit, since a guess is never safe.
    public static func read(_ text: String) throws(AmountError) -> (value: UInt256, unit: MoneyUnit) {
        let (number, word) = split(text)
        guard let unit = allCases.first(where: { word == $0.rawValue || word == $0.rawValue.uppercased() }) else {
            throw .malformed
        }
        return (try DecimalText.read(number, unit.decimals), unit)
    }

    /// Reads an amount of bitcoin: `0.01btc`, `1500 sat`.
    ///
    /// - Returns: the amount in satoshi.
    /// - Throws: ``AmountError/malformed``, also without a unit; ``AmountError/otherUnit`` for a unit of another coin.
    public static func satoshis(_ text: String) throws(AmountError) -> UInt256 {
        let (value, unit) = try read(text)
        switch unit {
        case .sat, .btc: return value
        case .wei, .gwei, .eth: throw .otherUnit
        }
    }

    /// Splits text into the number and the word after it, with at most one space between them.
    package static func split(_ text: String) -> (number: String, word: String) {
        let bytes = Array(text.utf8)
        let name = bytes.reversed().prefix { $0 >= UInt8(ascii: "A") }.reversed()
        var number = bytes.dropLast(name.count)
        if number.last == UInt8(ascii: " ") { number.removeLast() }
        return (String(decoding: number, as: UTF8.self), String(decoding: name, as: UTF8.self))
    }
}
