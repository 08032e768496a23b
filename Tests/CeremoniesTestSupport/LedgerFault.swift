import Ceremonies

/// The error of a ledger whose file cannot be written.
enum LedgerFault: Error {
    case unwritable
}

extension CeremonyError {
    static var unwritable: CeremonyError { .port(PortError(LedgerFault.unwritable)) }
}
