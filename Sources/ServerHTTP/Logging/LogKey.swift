package import Logging

/// The keys of the metadata that the server logs. A program that shows no other metadata takes them from here.
package enum LogKey: String, CaseIterable, Sendable {
    case account, bytes, connections, count, error, event, file, migration, peer, reason, request
    case lockLimit = "lock_limit"
    case openFiles = "open_files"
    case requestID = "request_id"
    case unlockedBytes = "unlocked_bytes"
}

extension Logger.Metadata {
    /// Returns the metadata with these values.
    package static func of(_ values: [LogKey: Logger.MetadataValue]) -> Logger.Metadata {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }
}
