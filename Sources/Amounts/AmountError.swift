/// An error in an amount.
public enum AmountError: Error, Equatable, Sendable {
    /// Text that is not a number of the unit: a sign, an exponent, grouping, too many decimals, or no unit where one is required.
    case malformed
    /// A number below or above the range of its type, or a division by zero.
    case outOfRange
    /// A unit of another coin.
    case otherUnit
}
