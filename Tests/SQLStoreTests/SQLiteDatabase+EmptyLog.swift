internal import Foundation

@testable internal import SQLStore

extension SQLiteDatabase {
    /// Has the log emptied, and waits until it is.
    func emptyLog() async throws {
        repeat {
            forgetDeleted()
            try await Task.sleep(for: .milliseconds(5))
        } while try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? NSNumber != 0
    }
}
