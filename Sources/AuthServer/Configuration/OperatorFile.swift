internal import Foundation

/// A file that the operator names: settings, certificates of others, metadata. Nothing in it is secret, and links are followed,
/// as whoever mounts settings into a container makes them.
package enum OperatorFile {
    /// Why it cannot be had.
    package enum Flaw: Error, Equatable, Sendable {
        /// There is nothing in that place.
        case missing
        case unreadable
        /// It is larger than so many bytes.
        case tooLarge(Int)
    }

    /// All of it.
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

    /// When the file was written last, in seconds since 1970; nil if that cannot be found out.
    package static func modified(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        return Int64(date.timeIntervalSince1970)
    }
}
