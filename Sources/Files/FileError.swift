/// The reasons why a file or folder could not be read, written or locked. No case contains a name or a path.
public enum FileError: Error, Equatable, Sendable {
    /// The file or its folder does not exist.
    case notFound
    /// The name is taken already; nothing was changed.
    case alreadyExists
    /// Another process, or another part of this one, holds the lock of the file. The id is nil if it could not be read.
    case lockedByAnother(processID: Int32?)
    /// No space is left, or the quota is used up. The earlier contents are unharmed.
    case diskFull
    /// Other users can read or write the file, or own it, or it is not a regular file.
    case insecureFile
    /// A name, a size or a number of files is outside the limits.
    case outsideLimits(Limit)
    /// The system refused a step. `code` is its `errno`.
    case inputOutput(Step, code: Int32)

    /// The value that was too small or too large.
    public enum Limit: Equatable, Sendable {
        /// The length or the characters of a name.
        case name
        /// The size of the file in bytes.
        case size
        /// The number of files in a folder.
        case count
    }

    /// A step of reading or writing a file.
    public enum Step: String, Equatable, Sendable {
        /// Opening the folder of the file.
        case openFolder = "open the folder"
        /// Opening the file.
        case open
        /// Reading the file.
        case read
        /// Writing the file.
        case write
        /// Flushing the file to the disk.
        case flush
        /// Closing the file.
        case close
        /// Renaming the new file over the old one.
        case rename
        /// Flushing the folder to the disk.
        case flushFolder = "flush the folder"
        /// Removing a file.
        case remove
        /// Locking the file against other processes.
        case lock
    }
}
