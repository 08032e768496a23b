public import Files

/// The reasons why a store failed. No case contains a secret, a name, a path or a passphrase.
public enum SecureStorageError: Error, Equatable, Sendable {
    /// No passphrase slot of the vault opens with this passphrase. A slot that was altered gives the same error.
    case wrongPassphrase
    /// The vault file does not exist, or its folder is missing.
    case notFound
    /// The name is taken already; nothing was changed.
    case alreadyExists
    /// The file is not a vault file.
    case notAVault
    /// The vault file has a later format than this program knows.
    case unsupportedVersion(UInt16)
    /// The file ends before its own stated size.
    case truncated
    /// The bytes are not those that were written: a fault of the medium, or an accidental change.
    case damaged
    /// The bytes are well formed, but were not written by a program that could open the vault.
    case tampered(Part)
    /// An item is in place of another item.
    case itemSwapped
    /// The vault is older than one that was seen before.
    case rolledBack(found: UInt64, expected: UInt64)
    /// Another process, or another part of this one, has the vault open for writing. The id is nil if it could not be
    /// read.
    case lockedByAnother(processID: Int32?)
    /// No space is left, or the quota is used up. The earlier contents are unharmed.
    case diskFull
    /// A passphrase slot is cheaper to guess than this program accepts.
    case tooWeakKDF
    /// A passphrase slot needs more memory or time than this program allows.
    case tooCostlyKDF
    /// The system had no memory left for the derivation of the key.
    case outOfMemory
    /// Other users can read or write the file, or own it, or it is not a regular file.
    case insecureFile
    /// This store cannot give an item that protection, and does not silently apply another.
    case notHonoured(Accessibility)
    /// A name, an item or the number of items is outside the limits.
    case outsideLimits(Limit)
    /// The stored item is of another kind than the requested one, or is not well formed.
    case wrongKind
    /// The sealed file exists, and the store does not have its key.
    case keyMissing
    /// The passphrase slot does not exist, or is the last one, without which the vault could not be opened; or the vault
    /// has a slot with a device and one without, and rekeying would keep only one of them.
    case slotNotRemovable
    /// The store was opened only for reading, or has been closed.
    case notWritable
    /// The store has been closed.
    case closed
    /// A migration between two places does not fit what is there. Nothing was changed.
    case migration(MigrationFault)
    /// A keychain, a service or a chip did not do what it was asked. No other place was used instead.
    case backend(StoreBackend, BackendFault)
    /// The system refused a step of reading or writing a file. `code` is its `errno`.
    case inputOutput(FileStep, code: Int32)

    /// A part of a vault file.
    public enum Part: Equatable, Sendable {
        /// The header, before the index.
        case header
        /// The list of the items.
        case index
        /// An item itself.
        case item
    }

    /// The value that was too small or too large.
    public enum Limit: Equatable, Sendable {
        /// The length or the characters of a name.
        case name
        /// The size of an item in bytes.
        case itemSize
        /// The number of items.
        case itemCount
        /// The number of writes of a vault.
        case generation
        /// The number of passphrases.
        case slotCount
        /// The size of the file in bytes.
        case fileSize
        /// The size of a passphrase in bytes.
        case passphrase
    }

    /// The reason why a migration cannot be made.
    public enum MigrationFault: Equatable, Sendable {
        /// A migration was begun, and not every item is copied.
        case unfinished
        /// Every item is copied, and the migration is neither confirmed nor undone.
        case unconfirmed
        /// There is no migration to confirm or to undo.
        case nothingPending
        /// The store is in another place than the one to move it from.
        case current(StoreBackend)
        /// The store is there already.
        case samePlace
        /// The store that was recorded is not there, or shows nothing.
        case sourceMissing
        /// The store no longer gives an item that an interrupted attempt has copied. Undoing the migration names it.
        case lostItems
        /// Another process has moved the store meanwhile.
        case changed
        /// The recovery passphrase is too easy to guess: it opens the store without the chip, which then counts no guesses.
        case weakRecovery
        /// The PIN of a store with a chip has fewer than 4 or more than 64 bytes.
        case weakPIN
        /// The file that names the place, or that of the migration, is damaged.
        case damagedRecord
    }

    /// A step of reading or writing a file.
    public typealias FileStep = FileError.Step
}

extension SecureStorageError {
    /// Converts the error of a file.
    public init(_ error: FileError) {
        switch error {
        case .notFound: self = .notFound
        case .alreadyExists: self = .alreadyExists
        case .lockedByAnother(let processID): self = .lockedByAnother(processID: processID)
        case .diskFull: self = .diskFull
        case .insecureFile: self = .insecureFile
        case .outsideLimits(.name): self = .outsideLimits(.name)
        case .outsideLimits(.size): self = .outsideLimits(.fileSize)
        case .outsideLimits(.count): self = .outsideLimits(.itemCount)
        case .inputOutput(let step, let code): self = .inputOutput(step, code: code)
        }
    }
}

/// Runs a step of `Files`, and converts its error into a store's.
package func onDisk<Value: ~Copyable>(
    _ step: @autoclosure () throws(FileError) -> Value
) throws(SecureStorageError) -> Value {
    do { return try step() } catch { throw SecureStorageError(error) }
}

extension SecureStorageError {
    /// Whether a store or chip refused or did not answer, and may do so later.
    public var isPassing: Bool {
        switch self {
        case .backend(_, let fault):
            switch fault {
            case .timedOut, .locked, .lockedOut, .authenticationFailed, .interactionNotAllowed, .cancelled: true
            default: false
            }
        default: false
        }
    }

    /// The reason why a store or chip cannot be used, from a call that tried it.
    package var unavailability: BackendFault {
        if case .backend(_, let fault) = self { fault } else { .malformedAnswer }
    }

    /// Whether a passphrase or PIN was wrong.
    public var isRefusedPassphrase: Bool {
        switch self {
        case .wrongPassphrase, .backend(_, .authenticationFailed): true
        default: false
        }
    }
}

extension SecureStorageError: CustomStringConvertible {
    /// The error as a sentence for users.
    public var description: String {
        switch self {
        case .wrongPassphrase: "The passphrase is wrong, or the vault's passphrase slot was altered."
        case .notFound: "There is no vault in that place."
        case .alreadyExists: "Something of that name is already there; it was left as it is."
        case .notAVault: "The file is not a Fueki vault."
        case .unsupportedVersion(let version):
            "The vault has format version \(version), which this program does not know."
        case .truncated: "The vault file is cut off: its end is missing."
        case .damaged: "The vault file is damaged: restore it from a copy."
        case .tampered(let part):
            "The \(part.words) of the vault was changed by a program that could not open the vault."
        case .itemSwapped: "One item of the vault was put in place of another."
        case .rolledBack(let found, let expected):
            "The vault is an old copy: it is at generation \(found), and generation \(expected) was seen before."
        case .lockedByAnother(let processID?): "The vault is in use by process \(processID)."
        case .lockedByAnother(nil): "The vault is in use by another process."
        case .diskFull: "The disk is full. Nothing that was stored before is lost."
        case .tooWeakKDF: "The vault's passphrase protection is weaker than this program accepts."
        case .tooCostlyKDF: "The vault asks for more memory or time to open than this program grants."
        case .outOfMemory: "There was not enough memory to derive the key from the passphrase."
        case .insecureFile: "The file is not a plain file that only its owner can read and write (mode 0600)."
        case .notHonoured: "This store cannot give an item the protection that it needs."
        case .outsideLimits(let limit): "\(limit.words) is outside the limits."
        case .wrongKind: "The stored item is of another kind."
        case .keyMissing: "The key of the sealed file is not in the store."
        case .slotNotRemovable: "That passphrase does not exist, or the vault needs it."
        case .notWritable: "The vault was opened only for reading."
        case .closed: "The vault has been closed."
        case .migration(let fault): fault.sentence
        case .backend(let backend, let fault): fault.sentence(about: backend)
        case .inputOutput(let step, let code): "The system could not \(step.rawValue) (error \(code))."
        }
    }
}

extension SecureStorageError.MigrationFault {
    fileprivate var sentence: String {
        switch self {
        case .unfinished: "A migration of the store is not finished."
        case .unconfirmed: "A migration of the store is neither confirmed nor undone."
        case .weakRecovery: "The recovery passphrase is too easy to guess."
        case .weakPIN: "The PIN has fewer than 4 or more than 64 characters."
        case .nothingPending: "There is no migration of the store to confirm or to undo."
        case .current(let backend): "The store is in another place: \(backend.rawValue)."
        case .samePlace: "The store is there already."
        case .sourceMissing: "The store that was recorded is not there."
        case .lostItems: "The store no longer gives an item that was copied."
        case .changed: "Another process has moved the store meanwhile."
        case .damagedRecord: "The file that names the place of the store is damaged."
        }
    }
}

extension SecureStorageError.Part {
    fileprivate var words: String {
        switch self {
        case .header: "header"
        case .index: "index"
        case .item: "content"
        }
    }
}

extension SecureStorageError.Limit {
    fileprivate var words: String {
        switch self {
        case .name: "The name of an item"
        case .itemSize: "The size of an item"
        case .itemCount: "The number of items"
        case .generation: "The number of writes"
        case .slotCount: "The number of passphrases"
        case .fileSize: "The size of the vault file"
        case .passphrase: "The length of the passphrase"
        }
    }
}
