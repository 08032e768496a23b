/// The bytes that were received and not yet read.
package struct Unread: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0
    /// How far a line's end was looked for: each byte is looked at once, however small the pieces are.
    private var searched = 0

    /// The bytes that were read and are kept, at most: moving the rest costs more than the memory.
    private static let kept = 64 << 10

    /// The number of bytes in memory.
    package var stored: Int { bytes.count }

    /// The outcome of looking for a line.
    package enum Line {
        case line(ArraySlice<UInt8>)
        case incomplete
        /// It is too long, or a CR or LF is alone.
        case malformed
    }

    package var count: Int { bytes.count - position }
    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ more: some Collection<UInt8>) {
        if position == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            (position, searched) = (0, 0)
        } else if position >= Self.kept {
            // Pieces may always end within a line: what was read would stay for ever.
            bytes.removeFirst(position)
            searched -= position
            position = 0
        }
        bytes.append(contentsOf: more)
    }

    package init() {}

    /// Takes at most `count` bytes.
    package mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
        let end = count < self.count ? position + count : bytes.count
        defer { (position, searched) = (end, end) }
        return bytes[position..<end]
    }

    /// Takes the next line, which ends with CR LF.
    ///
    /// - Parameter limit: its maximum length with the end.
    package mutating func line(limit: Int) -> Line {
        guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            return count < limit ? .incomplete : .malformed
        }
        let start = position
        (position, searched) = (end + 1, end + 1)
        let line = bytes[start..<end]
        guard end + 1 - start <= limit, line.last == 0x0D, !line.dropLast().contains(0x0D) else { return .malformed }
        return .line(line.dropLast())
    }
}
