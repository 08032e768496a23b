internal import Encoding

/// An event of the log itself.
public enum LogEvent: Hashable, Sendable {
    /// An epoch began: the first event of each epoch.
    case epochBegan
    /// The end of the file was removed when the log was opened: a commit that was not finished.
    case tailDropped(bytes: UInt32)
    /// The disk was full. What was to be logged was refused.
    case diskFull
    /// The disk has space again.
    case spaceRestored
    /// The clock on the wall was set back by this many milliseconds.
    case clockWentBack(milliseconds: UInt64)
    /// A sink failed, or did not answer in time, and gets no more entries.
    case sinkFailed(AuditIdentifier)
    /// A sink was removed.
    case sinkRemoved(AuditIdentifier)
    /// A witness cosigned the checkpoint of this size.
    case witnessed(by: AuditIdentifier, size: UInt64)
    /// The log was closed in order.
    case closed
    /// The log continues another one, whose last checkpoint had this root and this size: the first event of a log that
    /// replaces one.
    case follows(root: AuditDigest, size: UInt64)

    static let code: UInt16 = 0x0000

    func append(to writer: inout ByteWriter) {
        switch self {
        case .epochBegan: writer.append(1)
        case .tailDropped(let bytes):
            writer.append(2)
            writer.bigEndian(bytes)
        case .diskFull: writer.append(3)
        case .spaceRestored: writer.append(4)
        case .clockWentBack(let milliseconds):
            writer.append(5)
            writer.bigEndian(milliseconds)
        case .sinkFailed(let sink):
            writer.append(6)
            AuditIdentifier.append(sink, to: &writer)
        case .sinkRemoved(let sink):
            writer.append(7)
            AuditIdentifier.append(sink, to: &writer)
        case .witnessed(let witness, let size):
            writer.append(8)
            AuditIdentifier.append(witness, to: &writer)
            writer.bigEndian(size)
        case .closed: writer.append(9)
        case .follows(let root, let size):
            writer.append(10)
            writer.append(root.bytes)
            writer.bigEndian(size)
        }
    }

    init(from reader: inout ByteReader) throws(EncodingError) {
        func identifier(_ reader: inout ByteReader) throws(EncodingError) -> AuditIdentifier {
            guard let identifier = try AuditIdentifier.read(from: &reader) else { throw .unsupported }
            return identifier
        }
        switch try reader.uint8() {
        case 1: self = .epochBegan
        case 2: self = .tailDropped(bytes: try reader.bigEndian(UInt32.self))
        case 3: self = .diskFull
        case 4: self = .spaceRestored
        case 5: self = .clockWentBack(milliseconds: try reader.bigEndian(UInt64.self))
        case 6: self = .sinkFailed(try identifier(&reader))
        case 7: self = .sinkRemoved(try identifier(&reader))
        case 8: self = .witnessed(by: try identifier(&reader), size: try reader.bigEndian(UInt64.self))
        case 9: self = .closed
        case 10:
            guard let root = try? AuditDigest(try reader.bytes(32)) else { throw .unsupported }
            self = .follows(root: root, size: try reader.bigEndian(UInt64.self))
        default: throw .unsupported
        }
    }
}
