internal import Secrets

/// Selection by secret bits, with masks: neither a branch nor an address depends on a bit.
enum Masks {
    /// Returns all ones where a bit is 1, else zero. It is not inlined, so that the optimiser cannot see that there are
    /// only two values, and branch on them.
    @inline(never)
    static func mask(_ bytes: UnsafeRawBufferPointer, bit: Int) -> UInt64 {
        0 &- (UInt64(bytes[bit / 8]) >> UInt64(bit % 8) & 1)
    }

    /// Exchanges two regions where the mask is all ones.
    static func exchange(
        _ left: UnsafeMutableRawBufferPointer, _ right: UnsafeMutableRawBufferPointer, where mask: UInt64
    ) {
        precondition(left.count == right.count, "regions of two sizes cannot be exchanged")
        let mask = UInt8(truncatingIfNeeded: mask)
        for offset in left.indices {
            let difference = (left[offset] ^ right[offset]) & mask
            left[offset] ^= difference
            right[offset] ^= difference
        }
    }

    /// Writes `one` where the mask is all ones, else `zero`.
    static func select(
        _ zero: UnsafeRawBufferPointer, _ one: UnsafeRawBufferPointer, where mask: UInt64,
        to output: UnsafeMutableRawBufferPointer
    ) {
        precondition(zero.count == one.count && output.count == zero.count, "a choice among regions of several sizes")
        let mask = UInt8(truncatingIfNeeded: mask)
        for offset in output.indices { output[offset] = zero[offset] ^ ((zero[offset] ^ one[offset]) & mask) }
    }

    /// Adds (exclusive or) a region to another.
    static func add(_ bytes: UnsafeRawBufferPointer, to sum: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count == sum.count, "regions of two sizes have no sum")
        for offset in sum.indices { sum[offset] ^= bytes[offset] }
    }

    /// Returns the bytes with all bits inverted: the choice for a correlation, or the correlation for a choice.
    static func complement(_ secret: borrowing SecretBytes) -> SecretBytes {
        let count = secret.count
        return SecretBytes(count: count) { memory in
            secret.withUnsafeBytes { for offset in 0..<count { memory[offset] = ~$0[offset] } }
        }
    }
}
