package import Files

/// The files of this module: a port, so that tests can make every step fail.
///
/// A write returns when the new content is durable; after a crash at any moment the file has the old content or the new
/// one.
package protocol StateStore: Sendable {
    /// Returns the content of a file; nil if the file does not exist.
    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]?
    /// Replaces a file.
    func write(_ bytes: [UInt8], as name: String) throws(FileError)
    /// Takes a lock among all processes, or throws ``FileError/lockedByAnother(processID:)``; never waits. The
    /// lock ends with the returned object.
    func lock(_ name: String) throws(FileError) -> any AnyObject & Sendable
    /// Returns the names of the files, in any order. Names of other files may be among them.
    func names() throws(FileError) -> [String]
}

/// A folder for the files of this module.
package struct StateFolder: StateStore {
    private let path: String

    /// Makes the folder if it is missing (mode 0700).
    package init(at path: String) throws(FileError) {
        try FolderCreation.make(path)
        self.path = path
    }

    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try AtomicFile.read("\(path)/\(name)", limit: limit, access: .ownerOnly)
        } catch .notFound {
            // A missing folder is an error, and not an empty state.
            guard FolderCreation.isOccupied(path) else { throw .notFound }
            return nil
        }
    }

    package func write(_ bytes: [UInt8], as name: String) throws(FileError) {
        try AtomicFile.write(bytes, to: "\(path)/\(name)", replacing: .allowed)
    }

    package func lock(_ name: String) throws(FileError) -> any AnyObject & Sendable {
        try FileLock(on: "\(path)/\(name)")
    }

    package func names() throws(FileError) -> [String] {
        try FolderCreation.names(in: path, limit: ExchangeLimits.stateFiles)
    }
}
