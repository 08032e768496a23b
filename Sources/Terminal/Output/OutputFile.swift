internal import Files
package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The files that a command writes. A file never replaces another one, and it is complete or does not exist.
package enum OutputFile {
    /// The path that means standard output.
    package static let standardOutput = "-"

    /// Checks early, before a passphrase is asked for, that the file can be written.
    package static func check(_ path: String, _ output: Output) throws(Failure) {
        if path == standardOutput {
            if output.json { throw .usage("--json and '-o -' cannot both have standard output") }
            return
        }
        if access(path, F_OK) == 0 { throw .outputExists(path) }
        do { _ = try FileLocation(path) } catch { throw unwritable(path, error) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        if access(folder, W_OK | X_OK) != 0 { throw .unwritable(path, errno) }
    }

    package static func write(
        _ bytes: [UInt8], to path: String, isForOthers: Bool = false
    ) throws(Failure) {
        do {
            try AtomicFile.create(bytes, at: path, for: isForOthers ? .anyone : .owner)
        } catch .alreadyExists {
            throw .outputExists(path)
        } catch {
            throw unwritable(path, error)
        }
    }

    private static func unwritable(_ path: String, _ error: FileError) -> Failure {
        Failure(code: .unwritable, name: "unwritable", message: "cannot write to \(path): \(error.clause)")
    }
}
