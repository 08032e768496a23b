/// A number of 256 bits, as four words, the least significant first.
struct Words: Hashable, Sendable {
    var w0: UInt64
    var w1: UInt64
    var w2: UInt64
    var w3: UInt64

    static let zero = Words(0, 0, 0, 0)
    static let one = Words(1, 0, 0, 0)

    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// Reads 32 bytes.
    init(loading bytes: UnsafeRawBufferPointer, _ byteOrder: ByteOrder) {
        precondition(bytes.count == 32, "a number of 256 bits has 32 bytes")
        func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        switch byteOrder {
        case .littleEndian:
            self.init(word(0).littleEndian, word(8).littleEndian, word(16).littleEndian, word(24).littleEndian)
        case .bigEndian:
            self.init(word(24).bigEndian, word(16).bigEndian, word(8).bigEndian, word(0).bigEndian)
        }
    }

    /// Writes 32 bytes.
    func store(to bytes: UnsafeMutableRawBufferPointer, _ byteOrder: ByteOrder) {
        precondition(bytes.count == 32, "a number of 256 bits has 32 bytes")
        switch byteOrder {
        case .littleEndian:
            bytes.storeBytes(of: w0.littleEndian, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: w1.littleEndian, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: w2.littleEndian, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: w3.littleEndian, toByteOffset: 24, as: UInt64.self)
        case .bigEndian:
            bytes.storeBytes(of: w3.bigEndian, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: w2.bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: w1.bigEndian, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: w0.bigEndian, toByteOffset: 24, as: UInt64.self)
        }
    }

    /// Whether all bits are zero, by one comparison.
    var isZero: Bool { w0 | w1 | w2 | w3 == 0 }

    /// Returns `self - other`, and a borrow of 1 if that is negative.
    @inline(__always)
    func subtracting(_ other: Words) -> (difference: Words, borrow: UInt64) {
        var borrow: UInt64 = 0
        let w0 = subtract(self.w0, other.w0, &borrow)
        let w1 = subtract(self.w1, other.w1, &borrow)
        let w2 = subtract(self.w2, other.w2, &borrow)
        let w3 = subtract(self.w3, other.w3, &borrow)
        return (Words(w0, w1, w2, w3), borrow)
    }

    /// Returns `self + other`, and a carry of 1 if that needs a 257th bit.
    @inline(__always)
    func adding(_ other: Words) -> (sum: Words, carry: UInt64) {
        var carry: UInt64 = 0
        let w0 = add(self.w0, other.w0, &carry)
        let w1 = add(self.w1, other.w1, &carry)
        let w2 = add(self.w2, other.w2, &carry)
        let w3 = add(self.w3, other.w3, &carry)
        return (Words(w0, w1, w2, w3), carry)
    }

    /// Returns `self` where the mask is all ones, and `other` where it is zero. Both take the same time.
    @inline(__always)
    func selected(_ mask: UInt64, else other: Words) -> Words {
        Words(
            other.w0 ^ (mask & (w0 ^ other.w0)), other.w1 ^ (mask & (w1 ^ other.w1)),
            other.w2 ^ (mask & (w2 ^ other.w2)), other.w3 ^ (mask & (w3 ^ other.w3)))
    }
}

/// The byte order of a scalar's encoding.
enum ByteOrder: Sendable {
    case bigEndian
    case littleEndian
}

// Carries are upper words of 128-bit sums, and never Booleans: the optimiser compiles Booleans into branches, whose
// timing reveals secrets. `scripts/constant-time` looks for branches in the compiled code.

/// Returns `left + right + carry`; the carry is 0 or 1, before and after.
@inline(__always)
func add(_ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
    let sum = UInt128(left) &+ UInt128(right) &+ UInt128(carry)
    carry = UInt64(truncatingIfNeeded: sum >> 64)
    return UInt64(truncatingIfNeeded: sum)
}

/// Returns `left - right - borrow`; the borrow is 0 or 1, before and after.
@inline(__always)
func subtract(_ left: UInt64, _ right: UInt64, _ borrow: inout UInt64) -> UInt64 {
    let difference = UInt128(left) &- UInt128(right) &- UInt128(borrow)
    borrow = UInt64(truncatingIfNeeded: difference >> 64) & 1
    return UInt64(truncatingIfNeeded: difference)
}

/// Returns the lower word of `accumulator + left·right + carry`, and puts the upper word into the carry. The sum always
/// fits into two words.
@inline(__always)
func multiplyAdd(_ accumulator: UInt64, _ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    let sum = (UInt128(high) << 64 | UInt128(low)) &+ UInt128(accumulator) &+ UInt128(carry)
    carry = UInt64(truncatingIfNeeded: sum >> 64)
    return UInt64(truncatingIfNeeded: sum)
}

/// Returns all ones for 1, and zero for 0. It is not inlined, so that the optimiser cannot see that there are two
/// cases, and branch on them.
@inline(never)
func mask(of bit: UInt64) -> UInt64 { 0 &- bit }
