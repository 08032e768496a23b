internal import Files
public import SecureStorage

/// The record of an app's installation, outside of the keychain: it vanishes when the app is removed.
///
/// Programs that share an access group share the record, for example in the folder of their app group.
public protocol InstallationMarker: Sendable {
    /// Returns the record; nil only if it does not exist. An unreadable record is an error.
    func read() throws(SecureStorageError) -> Installation?

    /// Writes the record of a first run.
    ///
    /// - Throws: `SecureStorageError.alreadyExists` if there is one.
    func create(_ installation: Installation) throws(SecureStorageError)

    /// Replaces the record.
    func replace(_ installation: Installation) throws(SecureStorageError)
}

/// An installation's record in a file of mode 0600.
///
/// On a phone the file belongs into the app's or the app group's container, with the data protection class "until
/// first user authentication", so that it can be read whenever the items can.
public struct InstallationFile: InstallationMarker {
    private let path: String

    /// Creates the record at a path whose folder exists. Nothing is read or written yet.
    public init(at path: String) { self.path = path }

    public func read() throws(SecureStorageError) -> Installation? {
        let bytes: [UInt8]
        do {
            bytes = try onDisk(AtomicFile.read(path, limit: Installation.limit, access: .ownerOnly))
        } catch .notFound {
            // A missing folder looks the same, and is an error of `create`.
            return nil
        }
        guard let installation = try? Installation(decoding: bytes) else { throw .damaged }
        return installation
    }

    public func create(_ installation: Installation) throws(SecureStorageError) {
        try onDisk(AtomicFile.write(installation.encoded, to: path, replacing: .refused))
    }

    public func replace(_ installation: Installation) throws(SecureStorageError) {
        try onDisk(AtomicFile.write(installation.encoded, to: path, replacing: .allowed))
    }
}
