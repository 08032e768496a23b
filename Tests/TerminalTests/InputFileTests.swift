internal import Foundation
internal import Synchronization
internal import Testing
internal import Texts

@testable internal import Terminal

/// The lines of progress that a test collects.
private final class Lines: Sendable {
    private let state = Mutex("")

    var text: String { state.withLock(\.self) }

    var output: Output {
        Output(
            program: "test", json: false,
            line: ProgressLine(
                isRewritten: false, clock: ContinuousClock(), columns: { 80 },
                write: { [self] text in state.withLock { $0 += text } }))
    }
}

@Suite("Reading regular files")
struct InputFileTests: ~Copyable {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fueki-\(UUID().uuidString)")
    private let lines = Lines()

    /// A file of two parts, which was changed for the last time a while ago.
    private func file(_ count: Int = 100_000) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("file").path
        try Data(repeating: 1, count: count).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        return path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Reads the file, and makes a change after its first part.
    private func failure(of path: String, change: (FileHandle) throws -> Void) throws -> String? {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        defer { try? handle.close() }
        var parts = 0
        do throws(Failure) {
            try InputFile.readRegular(path, lines.output) { _ in
                parts += 1
                if parts == 1 { do { try change(handle) } catch { Issue.record(error) } }
            }
        } catch { return error.name }
        return nil
    }

    @Test("every byte of a file arrives, in order")
    func whole() throws {
        var bytes: [UInt8] = []
        try InputFile.readRegular(file(), lines.output) { bytes += $0 }
        #expect(bytes == [UInt8](repeating: 1, count: 100_000) && lines.text.isEmpty)
    }

    @Test("a file that grows, shrinks or has other bytes while it is read is refused")
    func changes() throws {
        #expect(try failure(of: file()) { _ in } == nil)
        #expect(
            try failure(of: file()) {
                try $0.seekToEnd()
                try $0.write(contentsOf: [2])
            } == "file_changed")
        #expect(try failure(of: file()) { try $0.truncate(atOffset: 99_999) } == "file_changed")
        #expect(try failure(of: file()) { try $0.truncate(atOffset: 10) } == "file_changed")
        #expect(try failure(of: file()) { try $0.write(contentsOf: [2]) } == "file_changed")
    }

    @Test("a file that grows as fast as it is read is given up")
    func endless() throws {
        let path = try file()
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seekToEnd()
        var parts = 0
        do throws(Failure) {
            try InputFile.readRegular(path, lines.output) { part in
                parts += 1
                do { if parts < 100 { try handle.write(contentsOf: Array(part)) } } catch { Issue.record(error) }
            }
            Issue.record("it was read")
        } catch { #expect(error.name == "file_changed") }
        #expect(parts == 1)
        try handle.close()
    }

    @Test("only a large file is reported while it is read")
    func progress() throws {
        let path = try file()
        try InputFile.readRegular(path, lines.output, silentUpTo: 100_000) { _ in }
        #expect(lines.text.isEmpty)
        try InputFile.readRegular(path, lines.output, silentUpTo: 99_999) { _ in }
        #expect(lines.text == "reading \(path)\n")
    }

    @Test("standard input, a folder, a pipe and a device are not regular files")
    func others() throws {
        let path = try file()
        #expect(mkfifo(path + ".pipe", 0o600) == 0)
        for (path, name) in [
            ("-", "usage"), (folder.path, "not_a_file"), (path + ".pipe", "not_a_file"), ("/dev/zero", "not_a_file"),
            (path + ".absent", "unreadable"),
        ] {
            do throws(Failure) {
                try InputFile.readRegular(path, lines.output) { _ in }
                Issue.record("\(path) was read")
            } catch { #expect(error.name == name) }
        }
    }
}
