public import AuthSettings
internal import Files
internal import Foundation
internal import NIOCore
internal import SQLStore
internal import SecureStorage
internal import ServerAudit
internal import ServerHTTP

/// The reason why the server does not start, or why an operator's command fails: a sentence for people, and a word for
/// scripts. Our own errors contain no secrets; of other errors only the type is named.
public struct OperationFailure: Error, Equatable, Sendable {
    /// The thing that the operator has to check. Each kind has an exit code.
    public enum Kind: CaseIterable, Sendable {
        /// The passphrase is wrong.
        case wrongPassphrase
        /// A file or the store has unexpected contents.
        case malformed
        /// A file, the store or the named object is missing.
        case missing
        /// The store or another server does not answer.
        case unavailable
        /// A file or the store cannot be written.
        case unwritable
        /// Another process is using the vault or the store.
        case busy
        /// A file may be read by others, or not by this process.
        case permissions
        /// A setting is wrong, or the file or address that it names.
        case settings
    }

    /// The kind of the failure.
    public let kind: Kind
    /// A stable word, such as `disk_full`.
    public let name: String
    /// One line for people.
    public let message: String
    /// The step that the operator can take; nil if the message says it all.
    public let hint: String?

    init(_ kind: Kind, _ name: String, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.name = name
        self.message = message
        self.hint = hint
    }

    /// Finds the reason why a command failed.
    ///
    /// - Parameters:
    ///   - home: the folder of the vault.
    ///   - store: the store that the command used, if it used one.
    public init(_ error: any Error, home: ServerHome, store: StoreLocation) {
        switch error {
        case let error as OperationFailure: self = error
        case let error as ConfigurationError: self.init(.settings, "bad_setting", "\(error)")
        case let error as StartupError: self.init(error)
        case let fault as AuditFault: self.init(.auditLog(folder: home.path, fault))
        case let error as SecureStorageError: self.init(error, home: home)
        case let error as FileError: self.init(SecureStorageError(error), home: home)
        case let error as StoreError:
            if error == .insecure, case .postgreSQL = store {
                self.init(
                    .settings, "insecure_connection",
                    "store.postgresql: the connection could be read or taken over by others",
                    hint:
                        "to another machine it has to be encrypted, and the server's name checked: sslmode=verify-full")
            } else {
                self.init(error, at: home.name(of: store))
            }
        case let error as IOError: self.init(error)
        case let fault as CertificateFault: self.init(.settings, "bad_certificate", "\(fault)")
        case is SocketAddressError.UnknownHost:
            self.init(.unavailable, "cannot_listen", "listen: the host is unknown")
        default:
            self.init(
                .unavailable, "internal", "it cannot start, for a reason that has no code of its own",
                hint: "the kind of the error, for a report: \(type(of: error))")
        }
    }

    init(_ error: StartupError) {
        switch error {
        case .attestationFile: self.init(.settings, "bad_attestation_file", "\(error)")
        case .pageLogo: self.init(.settings, "bad_logo", "\(error)")
        case .olderMetadata:
            self.init(
                .settings, "older_metadata", "\(error)",
                hint: "put the newest file there: https://mds3.fidoalliance.org")
        case .relyingParty: self.init(.settings, "bad_setting", "\(error)")
        case .noSQLite: self.init(.settings, "not_sqlite", "\(error)")
        case .noSuchAccount: self.init(.missing, "no_such_account", "\(error)")
        case .noSuchPasskey:
            self.init(
                .missing, "no_such_passkey", "\(error)", hint: "`fuekid account show` lists the passkeys of an account")
        case .olderTables:
            self.init(.settings, "older_tables", "\(error)", hint: "start the server once: it brings them up to date")
        case .auditLog(_, let fault):
            let kind: Kind =
                switch fault {
                case .diskFull: .unwritable
                case .inUse: .busy
                case .changed, .queueChanged, .unsupported: .malformed
                case .secretMissing: .missing
                case .unwritable, .portFailed, .backlog, .delay: .unavailable
                case .otherLog, .otherKey, .otherServer, .keyBesideLog: .settings
                }
            self.init(kind, "audit_\(fault.rawValue)", "\(error)", hint: fault.hint)
        case .witnessedLogs:
            self.init(
                .settings, "bad_witnessed_logs", "\(error)", hint: "one key a line, name+id+key; # begins a comment")
        case .fileExists: self.init(.unwritable, "already_exists", "\(error)")
        case .noAuditLog:
            self.init(
                .settings, "no_audit_log", "\(error)",
                hint: "make a key with `fuekid audit key FILE`, and set audit.reader")
        case .noCheckpoint:
            self.init(.missing, "no_checkpoint", "\(error)", hint: "the server signs the first one when it starts")
        case .noStore: self.init(.missing, "no_store", "\(error)", hint: "the first start makes it")
        case .otherMasterKey:
            self.init(
                .settings, "other_master_key", "\(error)",
                hint: "copy master.vault from the server that made the store, and its passphrase")
        case .vaultIsMissing:
            self.init(
                .missing, "no_vault", "\(error)",
                hint: "copy master.vault from the server that made the store, and its passphrase")
        }
    }

    private init(_ error: SecureStorageError, home: ServerHome) {
        let vault = home.vaultPath
        switch error {
        case .wrongPassphrase: self.init(.wrongPassphrase, "wrong_passphrase", "\(vault): the passphrase is wrong")
        case .notFound:
            self.init(
                .missing, "no_vault", "\(vault): the vault does not exist yet",
                hint: "the first start makes it: fuekid --role auth --home \(home.path)")
        case .alreadyExists:
            self.init(.unwritable, "already_exists", "\(vault): is there already, and is left as it is")
        case .diskFull:
            self.init(.unwritable, "disk_full", "\(home.path): the disk is full; nothing that was there is lost")
        case .lockedByAnother: self.init(.busy, "vault_in_use", "\(vault): another process is changing it")
        case .insecureFile:
            self.init(
                .permissions, "insecure_file",
                "\(vault): other users than its owner can access it, or it is not a plain file",
                hint: "it has to belong to the user that runs fuekid, with mode 0600")
        case .inputOutput(let step, let code):
            let isForbidden = [EACCES, EPERM, EROFS].contains(code)
            self.init(
                isForbidden ? .permissions : .unavailable, isForbidden ? "not_permitted" : "input_output",
                "\(home.path): the system could not \(step.rawValue): \(String(cString: strerror(code)))")
        default: self.init(.malformed, "bad_vault", "\(vault): \(Self.clause(error))")
        }
    }

    private init(_ error: StoreError, at store: String) {
        switch error {
        case .unavailable: self.init(.unavailable, "store_unavailable", "\(store): it cannot be reached or opened")
        case .notReached(let reason):
            self.init(.unavailable, "store_unavailable", "\(store): it cannot be reached: \(reason)")
        case .sharedSessions:
            self.init(
                .settings, "shared_sessions",
                "\(store): a pooler shares its sessions between connections, as PgBouncer does in its modes 'transaction' and "
                    + "'statement'",
                hint: "use its mode 'session', or the address of PostgreSQL itself")
        case .outcomeUnknown:
            self.init(.unavailable, "outcome_unknown", "\(store): the connection broke while it was written to")
        case .overloaded, .timedOut:
            self.init(.unavailable, "store_overloaded", "\(store): it does not answer in time")
        case .diskFull: self.init(.unwritable, "disk_full", "\(store): the disk is full")
        case .fileReplaced:
            self.init(
                .unavailable, "store_unavailable", "\(store): the file was removed or replaced while it was open",
                hint: "restart the server when the right file is at its place")
        case .damaged:
            self.init(
                .malformed, "store_damaged", "\(store): damaged, or not an SQLite store",
                hint: "move it away, and put a copy in its place: fuekid restore FILE")
        case .unknownSealingKey(let number):
            self.init(
                .settings, "other_master_key",
                "\(store): it is sealed with master key \(number), which this vault does not have")
        case .sealIsBroken:
            self.init(
                .settings, "other_master_key",
                "\(store): its contents cannot be opened: it belongs to another vault, or was changed")
        case .migrationWasChanged(let name), .unknownMigration(let name):
            self.init(
                .settings, "other_version",
                "\(store): its tables are those of another version of this program (\(name))",
                hint: "run the version that made them, or a newer one")
        case .insecure:
            self.init(
                .permissions, "insecure_store", "\(store): other users than its owner can access it",
                hint:
                    "it has to belong to the user that runs fuekid, with mode 0600, in a folder that others "
                    + "cannot write to")
        case .invalidAddress:
            self.init(.settings, "bad_address", "\(store): its address is malformed")
        case .alreadyExists:
            self.init(.unwritable, "already_exists", "\(store): is there already, and is left as it is")
        case .notFound: self.init(.missing, "not_found", "\(store): it is not there")
        case .failed("SQLite 1"), .failed("PostgreSQL 42P01"):
            self.init(
                .missing, "no_tables", "\(store): it has no tables yet, or another program's",
                hint: "the first start makes them")
        case .failed(let code) where code == "system \(EACCES)" || code == "system \(EROFS)" || code == "SQLite 8":
            self.init(.permissions, "not_permitted", "\(store): the system does not permit to write there")
        case .failed(let code): self.init(.unavailable, "store_failed", "\(store): it failed with the code '\(code)'")
        case .conflict, .unstorable, .unexpectedColumn, .transactionIsOver:
            self.init(
                .unavailable, "store_failed",
                "\(store): its rows are not those that this program wrote, or this program has an error")
        }
    }

    /// Returns a library's sentence in the form that follows a colon.
    private static func clause(_ error: SecureStorageError) -> String {
        let sentence = error.description
        return sentence.prefix(1).lowercased()
            + (sentence.last == "." ? sentence.dropFirst().dropLast() : sentence.dropFirst())
    }

    private init(_ error: IOError) {
        let reason =
            switch error.errnoCode {
            case EADDRINUSE: "the address is in use by another program"
            case EADDRNOTAVAIL: "this machine does not have the address"
            case EACCES: "the system does not permit this port to this program"
            default: "the address cannot be taken: \(String(cString: strerror(error.errnoCode)))"
            }
        self.init(.unavailable, "cannot_listen", "listen: \(reason)")
    }
}

extension OperationFailure {
    /// Creates a failure about a file that the operator named, and not about the store.
    init(_ error: StoreError, file path: String) {
        switch error {
        case .notFound: self.init(.missing, "not_found", "\(path): the file or folder does not exist")
        case .damaged: self.init(.malformed, "copy_damaged", "\(path): damaged, or not a copy of a store")
        case .failed("SQLite 1"): self.init(.malformed, "copy_damaged", "\(path): no copy of a store")
        default: self.init(error, at: path)
        }
    }
}

extension ServerHome {
    /// Returns the name of the store, for people. The connection string of PostgreSQL may contain a password.
    func name(of store: StoreLocation) -> String {
        switch store {
        case .sqlite(let path): absolute(path)
        case .postgreSQL: "the store in PostgreSQL"
        }
    }
}
