/// CRC-32 with the polynomial of Ethernet and zlib. It notices accidents, and protects against no one: every program of
/// the user can write a new item anyway.
enum Checksum {
    static let size = 4

    /// Returns the checksum, most significant byte first, in time that depends only on the number of bytes.
    static func bytes(of memory: UnsafeRawBufferPointer) -> [UInt8] {
        var remainder = ~UInt32(0)
        for byte in memory {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ 0xedb8_8320 & (0 &- (remainder & 1)) }
        }
        let sum = ~remainder
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
