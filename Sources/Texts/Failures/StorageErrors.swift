package import Files
internal import Foundation
package import SecureStorage

extension SecureStorageError: Explained {
    /// The clause about the error, to follow a colon.
    package var clause: String {
        switch self {
        case .wrongPassphrase: "the passphrase is wrong, or the vault's passphrase slot was altered"
        case .notFound: "there is no vault in that place"
        case .alreadyExists: "this name exists already; it was not changed"
        case .notAVault: "the file is not a Fueki vault"
        case .unsupportedVersion(let version):
            "the vault has format version \(version), which this program does not know"
        case .truncated: "the vault file is cut off: its end is missing"
        case .damaged: "the vault file is damaged: restore it from a copy"
        case .tampered(.header): "the header of the vault was changed by a program that could not open the vault"
        case .tampered(.index): "the index of the vault was changed by a program that could not open the vault"
        case .tampered(.item): "the content of the vault was changed by a program that could not open the vault"
        case .itemSwapped: "one item of the vault was put in place of another"
        case .rolledBack(let found, let expected):
            "the vault is an old copy: it is at generation \(found), and generation \(expected) was seen before"
        case .lockedByAnother(let processID?): "the vault is in use by process \(processID)"
        case .lockedByAnother(nil): "the vault is in use by another process"
        case .diskFull: "the disk is full. Nothing that was stored before is lost"
        case .tooWeakKDF: "the vault's passphrase protection is weaker than this program accepts"
        case .tooCostlyKDF: "the vault asks for more memory or time to open than this program grants"
        case .outOfMemory: "there was not enough memory to derive the key from the passphrase"
        case .insecureFile: "the file is not a plain file that only its owner can read and write (mode 0600)"
        case .notHonoured: "this store cannot give an item the protection that it needs"
        case .outsideLimits(.name): "the name of an item is outside the limits"
        case .outsideLimits(.itemSize): "the size of an item is outside the limits"
        case .outsideLimits(.itemCount): "the number of items is outside the limits"
        case .outsideLimits(.generation): "the number of writes is outside the limits"
        case .outsideLimits(.slotCount): "the number of passphrases is outside the limits"
        case .outsideLimits(.fileSize): "the size of the vault file is outside the limits"
        case .outsideLimits(.passphrase): "the length of the passphrase is outside the limits"
        case .wrongKind: "the stored item is of another kind"
        case .keyMissing: "the key of the sealed file is not in the store"
        case .slotNotRemovable: "that passphrase does not exist, or the vault needs it"
        case .notWritable: "the vault was opened only for reading"
        case .closed: "the vault has been closed"
        case .migration(.unfinished): "the credentials are being moved, and not every item is copied"
        case .migration(.unconfirmed): "the credentials were moved, and that is neither confirmed nor undone"
        case .migration(.weakRecovery):
            "the recovery passphrase is too easy to guess, and no chip counts guesses of it"
        case .migration(.weakPIN): "the PIN has fewer than 4 or more than 64 characters"
        case .migration(.nothingPending): "no move of the credentials waits to be confirmed or undone"
        case .migration(.current(let backend)): "the credentials are in another store: \(backend.rawValue)"
        case .migration(.samePlace): "the credentials are there already"
        case .migration(.sourceMissing): "the store that had the credentials is not there, or shows nothing"
        case .migration(.lostItems): "the store no longer gives an item that an interrupted move has copied"
        case .migration(.changed): "another process has moved the credentials meanwhile"
        case .migration(.damagedRecord): "the file that names the place of the store is damaged"
        case .backend(let backend, let fault): fault.clause(about: backend)
        case .inputOutput(let step, let code): step.clause(System.reason(code))
        }
    }

    /// The system's reason, without the step that failed.
    package var reason: String {
        if case .inputOutput(_, let code) = self { return "\(System.reason(code))" }
        return clause
    }

    package var failure: Failure {
        switch self {
        case .inputOutput(.write, _), .inputOutput(.flush, _), .inputOutput(.rename, _), .inputOutput(.flushFolder, _),
            .inputOutput(.remove, _), .inputOutput(.lock, _):
            Failure(code: .unwritable, name: "unwritable", message: clause)
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: clause)
        case .backend(let backend, let fault): fault.failure(of: backend)
        case .migration(.sourceMissing):
            Failure(
                code: .missing, name: "store_missing", message: clause,
                hint: "bring the file or the keyring back; 'fueki doctor' says more")
        case .migration(.lostItems):
            Failure(
                code: .missing, name: "store_missing", message: clause,
                hint: "'fueki store migrate --undo' names the item and asks for a decision")
        case .migration(.changed): Failure(code: .busy, name: "busy", message: clause)
        case .migration(.nothingPending), .migration(.samePlace):
            Failure(code: .refused, name: "migration", message: clause)
        case .wrongPassphrase: Failure(code: .wrongPassphrase, name: "wrong_passphrase", message: clause)
        case .migration(.damagedRecord):
            Failure(
                code: .malformed, name: "bad_store", message: clause,
                hint: "bring keys.place or keys.migration back from a copy; they name the store and contain no secret")
        case .migration(.current):
            Failure(
                code: .refused, name: "migration", message: clause, hint: "'fueki store backends' lists the stores")
        case .migration(.unfinished):
            Failure(
                code: .refused, name: "migration", message: clause,
                hint: "'fueki store backends' shows it; give the same command again, or 'fueki store migrate --undo'")
        case .migration(.unconfirmed):
            Failure(
                code: .refused, name: "migration", message: clause,
                hint: "'fueki store migrate --confirm' deletes the old items, and '--undo' returns")
        case .migration(.weakRecovery):
            Failure(
                code: .refused, name: "migration", message: clause,
                hint: "choose several words, 12 characters or more, without the PIN")
        case .migration(.weakPIN): Failure(code: .refused, name: "migration", message: clause)
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: clause)
        default: Failure(code: .other, name: "storage", message: clause)
        }
    }
}

extension FileError.Step {
    /// The clause about the step that the system refused.
    fileprivate func clause(_ reason: String) -> String {
        switch self {
        case .openFolder: "could not open the folder: \(reason)"
        case .open: "could not open: \(reason)"
        case .read: "could not read: \(reason)"
        case .write: "could not write: \(reason)"
        case .flush: "could not flush: \(reason)"
        case .close: "could not close: \(reason)"
        case .rename: "could not rename: \(reason)"
        case .flushFolder: "could not flush the folder: \(reason)"
        case .remove: "could not remove: \(reason)"
        case .lock: "could not lock: \(reason)"
        }
    }
}

/// A file's error has the texts of the store's error.
extension FileError: Explained {
    package var clause: String { SecureStorageError(self).clause }
    package var failure: Failure { SecureStorageError(self).failure }
}

/// The system's own words.
enum System {
    /// Returns the words for the number of an error. The program sets no locale, so they are English.
    static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
