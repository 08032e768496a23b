/// The sizes of items that arenas have: four to each doubling, so that an item is at most a quarter larger than its secret.
enum SizeClass {
    /// The largest secret that lies in an arena with others.
    static let largest = 65_536

    /// How many sizes there are.
    static let count = number(of: largest) + 1

    /// The number of the smallest size that holds `count` bytes, of 0 to ``largest``.
    static func number(of count: Int) -> Int {
        guard count > 64 else { return max(0, (count - 1) >> 4) }
        // The two bits below the highest one are the quarter.
        let last = count - 1
        let shift = Int.bitWidth - 1 - last.leadingZeroBitCount - 2
        return (shift - 4) * 4 + (last >> shift)
    }

    /// The bytes of an item of this size.
    static func size(_ number: Int) -> Int {
        guard number > 3 else { return (number + 1) << 4 }
        let (doubling, quarter) = ((number - 4) / 4, (number - 4) % 4)
        return (quarter + 5) << (doubling + 4)
    }
}
