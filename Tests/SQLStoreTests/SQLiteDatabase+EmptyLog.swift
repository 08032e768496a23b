internal import Foundation
internal import TestSupport

@testable internal import SQLStore

extension SQLiteDatabase {
    /// Empties the log, and waits until it is empty.
    func emptyLog() async throws {
        try await Patience.wait(for: "an empty log") {
            forgetDeleted()
            return try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? NSNumber == 0
        }
    }
}
