internal import Foundation

/// A new folder that only its owner can read, removed with this value.
public struct TemporaryFolder: ~Copyable, Sendable {
    /// The folder's absolute path, without links in it.
    public let path: String

    /// - Throws: the system's error if it cannot be made.
    public init() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("fueki-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes `text` to a file in the folder and returns the file's path.
    @discardableResult
    public borrowing func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
        return "\(path)/\(name)"
    }

    /// Returns the text of a file in the folder.
    public borrowing func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }
}
