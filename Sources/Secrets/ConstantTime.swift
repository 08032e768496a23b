internal import CSodium

/// Returns whether two byte strings are equal, in time that depends only on their sizes.
///
/// Sizes are public: strings of different sizes are unequal at once.
public func constantTimeEquals(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return sodium_memcmp(leftBase, rightBase, left.count) == 0
}

/// Returns whether two byte strings are equal, in time that depends only on their sizes.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { right in constantTimeEquals(left, right) } }
}

/// Overwrites memory with zeros, in a way that the optimiser keeps.
public func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let base = memory.baseAddress else { return }
    sodium_memzero(base, memory.count)
}
