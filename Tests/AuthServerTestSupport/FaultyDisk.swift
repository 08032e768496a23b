internal import Files
internal import Synchronization

@testable internal import AuditLog
@testable internal import AuthServer
@testable internal import ServerAudit

/// The disk of an audit log, which a test can fill or break.
final class FaultyDisk: Sendable {
    private let state = Mutex<AuditLogError?>(nil)

    /// The error of every write; nil for a disk that works.
    var fault: AuditLogError? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Opens a log on this disk. Several servers of one test may have it open, as if they were killed before.
    var opening: AuditOpening {
        { [self] setup, missingSecret throws(AuditLogError) in
            do throws(FileError) { try FolderCreation.make(setup.folder) } catch { throw AuditLogError(error) }
            let files = Files(disk: self, files: try DiskFiles(at: setup.folder, isWritable: true))
            do throws(AuditLogError) {
                return try await AuditLog.open(setup, in: files, lock: nil, missingSecret: missingSecret)
            } catch .notFound {
                return try await AuditLog.create(setup, in: files, lock: nil)
            }
        }
    }

    private struct Files: LogFiles {
        let disk: FaultyDisk
        let files: DiskFiles

        private func check() throws(AuditLogError) { if let fault = disk.fault { throw fault } }

        func names() throws(AuditLogError) -> [String] { try files.names() }
        func size(of name: String) throws(AuditLogError) -> Int? { try files.size(of: name) }

        func read(_ name: String, from offset: Int, count: Int) throws(AuditLogError) -> [UInt8] {
            try files.read(name, from: offset, count: count)
        }

        func create(_ name: String) throws(AuditLogError) {
            try check()
            try files.create(name)
        }

        func write(_ bytes: [UInt8], to name: String, at offset: Int) throws(AuditLogError) {
            try check()
            try files.write(bytes, to: name, at: offset)
        }

        func truncate(_ name: String, to size: Int) throws(AuditLogError) { try files.truncate(name, to: size) }
        func flush(_ name: String) throws(AuditLogError) { try files.flush(name) }
        func flushNames() throws(AuditLogError) { try files.flushNames() }
        func remove(_ name: String) throws(AuditLogError) { try files.remove(name) }
    }
}
