/// The number of decimal places of a unit, 0...36: eight for bitcoin, 18 for ether, and as the contract says for a
/// token.
public struct Decimals: Hashable, Sendable {
    /// The number of decimal places, 0...36.
    public let count: Int

    /// No places: satoshi, wei.
    public static let none = Decimals(unchecked: 0)
    /// The 8 decimal places of a bitcoin in satoshi.
    public static let bitcoin = Decimals(unchecked: 8)
    /// The 9 decimal places of a gwei in wei.
    public static let gwei = Decimals(unchecked: 9)
    /// The 18 decimal places of an ether in wei.
    public static let ether = Decimals(unchecked: 18)

    private init(unchecked count: Int) { self.count = count }

    /// Creates a number of decimal places.
    ///
    /// - Throws: ``AmountError/outOfRange`` outside of 0...36. No token in use has more than 36, and a contract with
    ///   255 wants its amounts to be unreadable.
    public init(_ count: Int) throws(AmountError) {
        guard (0...36).contains(count) else { throw .outOfRange }
        self.count = count
    }

    /// 10 to the power of the places: below 2^120.
    var scale: UInt256 {
        var scale = UInt256.one
        for _ in 0..<count { scale = (try? scale.multiplied(by: 10)) ?? .maximum }
        return scale
    }
}
