internal import Foundation

/// A file that the operator names: settings, certificates of makers, metadata. None of these is secret. Symbolic links
/// are followed, because container platforms mount settings as links.
package enum OperatorFile {
    /// A reason why a file cannot be read.
    package enum Flaw: Error, Equatable, Sendable {
        /// The file does not exist.
        case missing
        case unreadable
        /// The file is larger than this many bytes.
        case tooLarge(Int)
    }

    /// Reads the whole file.
    package static func read(_ path: String, limit: Int) throws(Flaw) -> [UInt8] {
        let bytes: [UInt8]
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            bytes = [UInt8](try file.read(upToCount: limit + 1) ?? Data())
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            throw .missing
        } catch {
            throw .unreadable
        }
        guard bytes.count <= limit else { throw .tooLarge(limit) }
        return bytes
    }

    /// Returns the time when the file was last written, in seconds since 1970; nil if that is unknown.
    package static func modified(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        return Int64(date.timeIntervalSince1970)
    }
}
