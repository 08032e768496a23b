/// The state of the permutation Keccak-f[1600] (FIPS 202, section 3.3): 25 lanes of 64 bits.
///
/// The lane `axy` is A[x, y] of the standard. The lanes are separate variables, and the round is unrolled, so that the
/// compiler can keep them in registers.
struct KeccakState: Sendable {
    // The lanes in the order in which bytes are absorbed. No other variable may stand between them.
    var a00: UInt64 = 0, a10: UInt64 = 0, a20: UInt64 = 0, a30: UInt64 = 0, a40: UInt64 = 0
    var a01: UInt64 = 0, a11: UInt64 = 0, a21: UInt64 = 0, a31: UInt64 = 0, a41: UInt64 = 0
    var a02: UInt64 = 0, a12: UInt64 = 0, a22: UInt64 = 0, a32: UInt64 = 0, a42: UInt64 = 0
    var a03: UInt64 = 0, a13: UInt64 = 0, a23: UInt64 = 0, a33: UInt64 = 0, a43: UInt64 = 0
    var a04: UInt64 = 0, a14: UInt64 = 0, a24: UInt64 = 0, a34: UInt64 = 0, a44: UInt64 = 0

    /// Adds a block of 64-bit words to the first lanes.
    mutating func absorb(_ block: UnsafeRawBufferPointer) {
        withUnsafeMutableBytes(of: &self) { lanes in
            for offset in stride(from: 0, to: block.count, by: 8) {
                let word = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                lanes.storeBytes(
                    of: lanes.load(fromByteOffset: offset, as: UInt64.self) ^ word, toByteOffset: offset,
                    as: UInt64.self)
            }
        }
        permute()
    }

    private static let roundConstants: [UInt64] = [
        0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000,
        0x0000_0000_0000_808b, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
        0x0000_0000_0000_008a, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000a,
        0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
        0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
        0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
    ]

    private mutating func permute() {
        var state = self
        for constant in Self.roundConstants { state.round(constant) }
        self = state
    }

    /// The steps of a round: θ; ρ and π, which only move bits; χ; ι.
    @inline(__always)
    private mutating func round(_ constant: UInt64) {
        let c0 = a00 ^ a01 ^ a02 ^ a03 ^ a04
        let c1 = a10 ^ a11 ^ a12 ^ a13 ^ a14
        let c2 = a20 ^ a21 ^ a22 ^ a23 ^ a24
        let c3 = a30 ^ a31 ^ a32 ^ a33 ^ a34
        let c4 = a40 ^ a41 ^ a42 ^ a43 ^ a44
        let d0 = c4 ^ rotate(c1, 1)
        let d1 = c0 ^ rotate(c2, 1)
        let d2 = c1 ^ rotate(c3, 1)
        let d3 = c2 ^ rotate(c4, 1)
        let d4 = c3 ^ rotate(c0, 1)
        let b00 = a00 ^ d0
        let b10 = rotate(a11 ^ d1, 44)
        let b20 = rotate(a22 ^ d2, 43)
        let b30 = rotate(a33 ^ d3, 21)
        let b40 = rotate(a44 ^ d4, 14)
        let b01 = rotate(a30 ^ d3, 28)
        let b11 = rotate(a41 ^ d4, 20)
        let b21 = rotate(a02 ^ d0, 3)
        let b31 = rotate(a13 ^ d1, 45)
        let b41 = rotate(a24 ^ d2, 61)
        let b02 = rotate(a10 ^ d1, 1)
        let b12 = rotate(a21 ^ d2, 6)
        let b22 = rotate(a32 ^ d3, 25)
        let b32 = rotate(a43 ^ d4, 8)
        let b42 = rotate(a04 ^ d0, 18)
        let b03 = rotate(a40 ^ d4, 27)
        let b13 = rotate(a01 ^ d0, 36)
        let b23 = rotate(a12 ^ d1, 10)
        let b33 = rotate(a23 ^ d2, 15)
        let b43 = rotate(a34 ^ d3, 56)
        let b04 = rotate(a20 ^ d2, 62)
        let b14 = rotate(a31 ^ d3, 55)
        let b24 = rotate(a42 ^ d4, 39)
        let b34 = rotate(a03 ^ d0, 41)
        let b44 = rotate(a14 ^ d1, 2)
        a00 = b00 ^ (~b10 & b20) ^ constant
        a10 = b10 ^ (~b20 & b30)
        a20 = b20 ^ (~b30 & b40)
        a30 = b30 ^ (~b40 & b00)
        a40 = b40 ^ (~b00 & b10)
        a01 = b01 ^ (~b11 & b21)
        a11 = b11 ^ (~b21 & b31)
        a21 = b21 ^ (~b31 & b41)
        a31 = b31 ^ (~b41 & b01)
        a41 = b41 ^ (~b01 & b11)
        a02 = b02 ^ (~b12 & b22)
        a12 = b12 ^ (~b22 & b32)
        a22 = b22 ^ (~b32 & b42)
        a32 = b32 ^ (~b42 & b02)
        a42 = b42 ^ (~b02 & b12)
        a03 = b03 ^ (~b13 & b23)
        a13 = b13 ^ (~b23 & b33)
        a23 = b23 ^ (~b33 & b43)
        a33 = b33 ^ (~b43 & b03)
        a43 = b43 ^ (~b03 & b13)
        a04 = b04 ^ (~b14 & b24)
        a14 = b14 ^ (~b24 & b34)
        a24 = b24 ^ (~b34 & b44)
        a34 = b34 ^ (~b44 & b04)
        a44 = b44 ^ (~b04 & b14)
    }
}

@inline(__always)
private func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word &<< count | word &>> (64 &- count) }
