internal import SecureStorage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The files that a command writes. None replaces another, and each is whole or not there.
enum OutputFile {
    /// Tells early, before a passphrase is asked for, that the file could not be written.
    static func check(_ path: String) throws(Failure) {
        if access(path, F_OK) == 0 { throw .outputExists(path) }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        do {
            try AtomicFile.create(bytes, at: path)
        } catch .alreadyExists {
            throw .outputExists(path)
        } catch {
            throw Failure(
                code: .unwritable, name: "unwritable", message: "cannot write \(path): \(error.sentence)")
        }
    }
}
