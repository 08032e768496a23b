/// The sizes of items in arenas: four to each doubling, so that an item is at most a quarter larger than its secret.
enum SizeClass {
    /// The largest secret in an arena.
    static let largest = 65_536

    /// The number of sizes.
    static let count = number(of: largest) + 1

    /// Returns the number of the smallest size for `count` bytes, 0 to ``largest``.
    static func number(of count: Int) -> Int {
        guard count > 64 else { return max(0, (count - 1) >> 4) }
        // The two bits below the highest one select the quarter.
        let last = count - 1
        let shift = Int.bitWidth - 1 - last.leadingZeroBitCount - 2
        return (shift - 4) * 4 + (last >> shift)
    }

    /// Returns the bytes of an item of this size.
    static func size(_ number: Int) -> Int {
        guard number > 3 else { return (number + 1) << 4 }
        let (doubling, quarter) = ((number - 4) / 4, (number - 4) % 4)
        return (quarter + 5) << (doubling + 4)
    }
}
