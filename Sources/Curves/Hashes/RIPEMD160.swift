/// RIPEMD-160 (Dobbertin, Bosselaers, Preneel, 1996): used in Bitcoin's key fingerprints only.
///
/// This implementation exists because neither libsodium nor libsecp256k1 has one. For public input only.
public enum RIPEMD160 {
    /// The size of a hash in bytes.
    public static let size = 20

    /// Returns the hash of bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        // Padding: one bit, zeros up to 8 bytes before a block's end, and the size in bits.
        var message = Array(bytes)
        let bits = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 0, to: 64, by: 8) { message.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }

        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for start in stride(from: 0, to: message.count, by: 64) {
            let block = message[start..<(start + 64)].withUnsafeBytes { bytes in
                (0..<16).map { UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
            }
            let left = run(.left, from: state, over: block)
            let right = run(.right, from: state, over: block)
            state = state.indices.map { index -> UInt32 in
                state[(index + 1) % 5] &+ left[(index + 2) % 5] &+ right[(index + 3) % 5]
            }
        }
        return state.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    }

    /// Runs the 80 steps of a line over one block.
    private static func run(_ line: Line, from state: [UInt32], over block: [UInt32]) -> [UInt32] {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for step in 0..<80 {
            let round = step / 16
            let mixed = a &+ mix(line.isReversed ? 4 - round : round, b, c, d)
            let sum = mixed &+ block[line.words[step]] &+ line.constants[round]
            let next = rotate(sum, line.rotations[step]) &+ e
            (a, b, c, d, e) = (e, next, b, rotate(c, 10), d)
        }
        return [a, b, c, d, e]
    }

    private static func mix(_ round: Int, _ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 {
        switch round {
        case 0: x ^ y ^ z
        case 1: (x & y) | (~x & z)
        case 2: (x | ~y) ^ z
        case 3: (x & z) | (y & ~z)
        default: x ^ (y | ~z)
        }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}

extension RIPEMD160 {
    /// One of the two lines that run over each block.
    private struct Line {
        /// The index of the word that each step uses.
        let words: [Int]
        /// The number of bits by which each step rotates.
        let rotations: [UInt32]
        /// The constant of each of the five rounds.
        let constants: [UInt32]
        let isReversed: Bool

        static let left = Line(
            words: Array(0..<16) + [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8]
                + [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12]
                + [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2]
                + [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
            rotations: [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8]
                + [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12]
                + [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5]
                + [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12]
                + [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
            constants: [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e], isReversed: false)

        static let right = Line(
            words: [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12]
                + [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2]
                + [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13]
                + [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14]
                + [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
            rotations: [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6]
                + [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11]
                + [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5]
                + [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8]
                + [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
            constants: [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0], isReversed: true)
    }
}
