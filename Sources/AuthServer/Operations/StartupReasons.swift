internal import NIOCore
internal import SecureStorage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The words for whatever keeps the server from starting. No error of ours carries secrets; of others only the type is named.
public enum StartupReasons {
    public static func text(for error: any Error) -> String {
        switch error {
        case let error as SecureStorageError: "the vault or the home folder: \(error)"
        case let error as StoreError: "the store: \(text(for: error))"
        case let error as StartupError: "\(error)"
        case let error as IOError: "listen: \(text(for: error))"
        default: "it cannot start (\(type(of: error)))"
        }
    }

    private static func text(for error: IOError) -> String {
        switch error.errnoCode {
        case EADDRINUSE: "the address is in use by another program"
        case EADDRNOTAVAIL: "this machine does not have the address"
        case EACCES: "the system does not permit this port to this program"
        default: "the address cannot be taken (error \(error.errnoCode))"
        }
    }

    private static func text(for error: StoreError) -> String {
        switch error {
        case .unavailable: "it cannot be reached"
        case .outcomeUnknown: "the connection broke while it was written to"
        case .overloaded, .timedOut: "it does not answer in time"
        case .diskFull: "the disk is full"
        case .damaged: "its file is damaged, or is no SQLite store: put a backup in its place"
        case .unknownSealingKey(let number): "it is sealed with master key \(number), which this vault does not have"
        case .sealIsBroken: "what is in it does not open: it belongs to another vault, or was changed"
        case .migrationWasChanged(let name), .unknownMigration(let name):
            "its tables were made by another version of this program (\(name))"
        case .insecure: "others than its owner can get at it"
        case .invalidAddress: "the address of it cannot be understood"
        case .alreadyExists: "something of that name is there already"
        case .notFound: "it is not there"
        case .failed("SQLite 1"), .failed("PostgreSQL 42P01"):
            "it has no tables yet, or another program's: start the server once"
        case .conflict, .unstorable, .unexpectedColumn, .failed, .transactionIsOver: "it failed (\(error))"
        }
    }
}
