internal import Foundation
internal import SQLStore

/// The files of an audit log as the server left them: the device, inode and size of each.
///
/// An open log does not notice that its files were removed, cut or replaced. The server compares them before each
/// copying, and opens the log again if they differ: this compares the log with the states that the store and the
/// checkpoints have.
struct LogFilesState: Equatable, Sendable {
    private let files: [String: FileIdentity]

    init(of folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        files = Dictionary(
            names.compactMap { name in FileIdentity(at: "\(folder)/\(name)").map { (name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
