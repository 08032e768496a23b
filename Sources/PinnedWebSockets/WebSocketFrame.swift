/// The frames of RFC 6455, section 5.2.
enum WebSocketFrame {
    /// The meanings of frames.
    enum Opcode: UInt8, Sendable {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        var isControl: Bool { rawValue >= 0x8 }
    }

    /// The first bytes of a server's frame.
    struct Header: Equatable, Sendable {
        let isFinal: Bool
        let opcode: Opcode
        let length: Int

        /// The number of bytes of a header, as its first two say.
        static func size(_ bytes: [UInt8]) throws(WebSocketViolation) -> Int {
            guard let second = bytes.dropFirst().first else { return 2 }
            // A client that read masked frames of a server would accept its own frames, sent back to it.
            guard second & 0x80 == 0 else { throw .masked }
            switch second {
            case 126: return 4
            case 127: return 10
            default: return 2
            }
        }

        /// Reads the bytes of a whole header.
        init(_ bytes: [UInt8]) throws(WebSocketViolation) {
            guard let first = bytes.first, let short = bytes.dropFirst().first else { throw .length }
            guard first & 0x70 == 0 else { throw .reservedBits }
            guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .opcode }
            isFinal = first & 0x80 != 0
            self.opcode = opcode
            let long = bytes.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let length = short < 126 ? UInt64(short) : long
            guard length >> 63 == 0, short != 126 || length >= 126, short != 127 || length > 0xFFFF else {
                throw .length
            }
            guard !opcode.isControl || isFinal && length <= UInt64(WebSocketLimits.controlBytes) else {
                throw .controlFrame
            }
            self.length = Int(length)
        }
    }

    /// Encodes a client's frame.
    ///
    /// - Parameter mask: 32 random bits. They keep a proxy between from taking a message for something else, and have
    ///   to be new for each frame (section 5.3).
    static func encode(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [0x80 | opcode.rawValue]
        bytes.reserveCapacity(payload.count + 14)
        let length = UInt64(payload.count)
        switch length {
        case 0..<126: bytes.append(0x80 | UInt8(length))
        case 126...0xFFFF:
            bytes.append(0x80 | 126)
            bytes.append(contentsOf: (0..<2).map { UInt8(truncatingIfNeeded: length >> (8 - 8 * $0)) })
        default:
            bytes.append(0x80 | 127)
            bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) })
        }
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: mask >> shift)) }
        var shift: UInt32 = 24
        for byte in payload {
            bytes.append(byte ^ UInt8(truncatingIfNeeded: mask >> shift))
            shift = shift == 0 ? 24 : shift - 8
        }
        return bytes
    }
}
