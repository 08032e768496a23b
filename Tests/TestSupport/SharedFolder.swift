internal import Foundation

/// A folder that the parts of a test share. It is removed when the last of them is done with it.
package final class SharedFolder: Sendable {
    package let path: String

    package init(at parent: String = FileManager.default.temporaryDirectory.path) throws {
        path = "\(parent)/fueki-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    package var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
