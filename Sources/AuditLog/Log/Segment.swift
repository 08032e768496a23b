internal import Encoding

/// The format of the files that hold the entries.
///
/// A file has a header, and then records: entries, and after each group of them a commit, which holds the size and the
/// root of the whole log. Each group is written by one call and flushed once. What follows the last commit was not
/// acknowledged to anyone.
enum Segment {
    private static let magic = [UInt8]("FuekiSeg".utf8)
    private static let version: UInt8 = 1
    private static let commitMark = [UInt8]("\u{02}FuekiCmt".utf8)
    static let headerSize = 8 + 1 + 32 + 8 + 32
    static let commitSize = 9 + 8 + 32

    struct Header: Equatable {
        let log: TreeHash
        /// The sequence number of the first entry of the file.
        let start: UInt64
        /// The root of all entries before.
        let root: TreeHash

        var encoded: [UInt8] { magic + [version] + log.bytes + start.bigEndianBytes + root.bytes }

        init(log: TreeHash, start: UInt64, root: TreeHash) {
            (self.log, self.start, self.root) = (log, start, root)
        }

        /// Nil if it is not the header of a file of a log.
        init?(decoding bytes: ArraySlice<UInt8>) {
            guard var reader = try? ByteReader(bytes, limit: headerSize),
                let magic = try? reader.bytes(8), magic.elementsEqual(Segment.magic),
                let version = try? reader.uint8(), version == Segment.version,
                let log = TreeHash((try? reader.bytes(32)) ?? []), let start = try? reader.bigEndian(UInt64.self),
                let root = TreeHash((try? reader.bytes(32)) ?? []), reader.remaining == 0
            else { return nil }
            self.init(log: log, start: start, root: root)
        }
    }

    static func name(start: UInt64) -> String {
        let digits = String(start)
        return "entries-" + String(repeating: "0", count: max(0, 15 - digits.count)) + digits
    }

    /// Returns the first sequence number of a file by its name; nil for the name of another file.
    static func start(of name: String) -> UInt64? {
        guard name.hasPrefix("entries-"), let start = UInt64(name.dropFirst(8)), Segment.name(start: start) == name
        else { return nil }
        return start
    }

    static func append(entry: [UInt8], to bytes: inout [UInt8]) {
        bytes += [1, UInt8(truncatingIfNeeded: entry.count >> 8), UInt8(truncatingIfNeeded: entry.count)]
        bytes += entry
    }

    static func append(commit size: UInt64, root: TreeHash, to bytes: inout [UInt8]) {
        bytes += commitMark
        bytes += size.bigEndianBytes
        bytes += root.bytes
    }

    enum Record {
        case entry(ArraySlice<UInt8>)
        case commit(size: UInt64, root: TreeHash)
    }

    /// Reads records one after another, up to the first that is not whole.
    struct Records {
        /// One reader for the whole file, because making a reader of a slice copies it.
        private var reader: ByteReader?

        init(_ bytes: [UInt8]) {
            reader = try? ByteReader(bytes, limit: AuditLimits.segmentBytes)
            _ = try? reader?.bytes(headerSize)
        }

        /// The offset of the next record.
        var offset: Int { max(reader?.offset ?? 0, headerSize) }

        var isAtEnd: Bool { reader?.remaining ?? 0 == 0 }

        /// Nil at the end, and at a record that is not well formed.
        mutating func next() -> Record? {
            guard var next = reader, let record = try? Self.record(from: &next) else { return nil }
            reader = next
            return record
        }

        private static func record(from reader: inout ByteReader) throws(EncodingError) -> Record {
            switch try reader.uint8() {
            case 1:
                let count = Int(try reader.bigEndian(UInt16.self))
                guard count <= AuditLimits.entry else { throw .tooLong(limit: AuditLimits.entry) }
                return .entry(try reader.bytes(count))
            case 2:
                guard try reader.bytes(8).elementsEqual(commitMark.dropFirst()) else { throw .unsupported }
                let size = try reader.bigEndian(UInt64.self)
                guard let root = TreeHash(try reader.bytes(TreeHash.size)) else { throw .unsupported }
                return .commit(size: size, root: root)
            default: throw .unsupported
            }
        }
    }

    /// Whether the bytes behind the last whole commit can be the remains of an interrupted one: at most one mark of a
    /// commit, at the very end.
    static func canBeInterrupted(_ tail: ArraySlice<UInt8>) -> Bool {
        switch commits(in: tail) {
        case 0: true
        case 1: commits(in: tail.suffix(commitSize)) == 1
        default: false
        }
    }

    /// Returns how many marks of a commit the bytes contain.
    static func commits(in bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        var rest = bytes
        while let found = rest.firstIndex(of: 2) {
            rest = rest[found...]
            if rest.starts(with: commitMark) { count += 1 }
            rest = rest.dropFirst()
        }
        return count
    }
}
