package import AuditLog

extension AuditFault {
    /// Creates the fault for an error of the log.
    package init(_ error: AuditLogError) {
        self =
            switch error {
            case .diskFull: .diskFull
            case .damaged, .rolledBack, .forked: .changed
            case .otherLog: .otherLog
            case .lockedByAnother: .inUse
            case .epochSecretMissing: .secretMissing
            case .keyBesideLog: .keyBesideLog
            case .portFailed, .witnessRefused, .badWitnessAnswer: .portFailed
            case .unsupportedVersion, .outsideLimits, .alreadyExists: .unsupported
            case .overloaded: .backlog
            case .notFound, .writeFailed, .broken, .closed, .sinkFailed: .unwritable
            }
    }
}
