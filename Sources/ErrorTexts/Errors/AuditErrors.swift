package import AuditLog
package import Custody
package import Texts

extension AuditLogError: Explained {
    package var failure: Failure {
        switch self {
        case .notFound:
            Failure(code: .missing, name: "no_log", message: "the folder has no audit log")
        case .alreadyExists:
            Failure(code: .unwritable, name: "exists", message: "the folder has an audit log already")
        case .lockedByAnother(let processID?):
            Failure(code: .busy, name: "busy", message: "process \(processID) has the audit log in use")
        case .lockedByAnother(nil):
            Failure(code: .busy, name: "busy", message: "another process has the audit log in use")
        case .otherLog:
            Failure(code: .refused, name: "other_log", message: "the audit log has another origin or another reader")
        case .unsupportedVersion(let version):
            Failure(
                code: .malformed, name: "unknown_version",
                message: "the audit log has format version \(version), which this fueki does not know")
        case .damaged(let sequence):
            Failure(
                code: .malformed, name: "damaged_log", message: "the audit log is damaged at or after entry \(sequence)"
            )
        case .rolledBack(let size, let expected):
            Failure(
                code: .refused, name: "rolled_back",
                message: "the audit log has \(size) entries, and \(expected) were seen before: it was set back")
        case .forked(let size):
            Failure(
                code: .refused, name: "forked",
                message: "the first \(size) entries of the audit log are not those of a signed checkpoint")
        case .outsideLimits:
            Failure(
                code: .usage, name: "outside_limits",
                message: "the checkpoint does not contain the entry, or the key did not sign it")
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: "the disk is full")
        case .writeFailed, .broken:
            Failure(code: .unwritable, name: "unwritable", message: "the audit log cannot be read or written")
        case .epochSecretMissing:
            Failure(code: .other, name: "no_epoch_secret", message: "the secret of the audit log's epoch is missing")
        case .keyBesideLog:
            Failure(code: .usage, name: "key_beside_log", message: "a key of the audit log must not lie in its folder")
        case .sinkFailed:
            Failure(code: .unavailable, name: "sink_failed", message: "a second copy of the audit log failed")
        case .portFailed(.signer):
            Failure(code: .other, name: "no_signature", message: "the audit log's key could not sign")
        case .portFailed(.checkpoints):
            Failure(code: .unwritable, name: "checkpoint_not_kept", message: "a checkpoint could not be read or kept")
        case .portFailed(.epochSecrets):
            Failure(
                code: .other, name: "no_epoch_secret",
                message: "the secret of the audit log's epoch cannot be read or kept")
        case .portFailed(.witness):
            Failure(code: .unavailable, name: "no_witness", message: "the witness of the audit log did not answer")
        case .badWitnessAnswer(.malformed):
            Failure(
                code: .unavailable, name: "bad_witness_answer",
                message: "the witness's answer is not one of the protocol (C2SP tlog-witness)",
                hint: "compare --url with what its operator publishes")
        case .badWitnessAnswer(.cosignature):
            Failure(
                code: .unavailable, name: "bad_cosignature",
                message: "the witness's signature of the checkpoint is not valid",
                hint: "compare --key with what its operator publishes")
        case .badWitnessAnswer(.time):
            Failure(
                code: .unavailable, name: "bad_cosignature",
                message: "the time of the witness's signature is more than a day away from this machine's",
                hint: "compare this machine's clock; if it is right, tell the witness's operator")
        case .witnessRefused:
            Failure(
                code: .refused, name: "witness_refused",
                message: "the witness refused to sign a checkpoint of the audit log",
                hint: "it has seen another log, or a longer one: verify the log with 'fueki audit verify'")
        case .overloaded:
            Failure(
                code: .unavailable, name: "audit_overloaded", message: "too many events wait for the audit log's disk")
        case .closed:
            Failure(code: .unavailable, name: "audit_closed", message: "the audit log is closed")
        }
    }
}

extension AuditLogError {
    /// Whether the log cannot be written until its folder is put back.
    package var isLasting: Bool {
        switch self {
        case .notFound, .otherLog, .damaged, .rolledBack, .forked, .epochSecretMissing: true
        default: false
        }
    }

    /// The failure of a wallet's log: what was to be logged was not done.
    func failure(ofWalletLogAt path: String) -> Failure {
        let plain = failure
        switch self {
        case .notFound, .alreadyExists, .otherLog, .unsupportedVersion, .damaged, .rolledBack, .forked,
            .epochSecretMissing:
            return Failure(
                code: plain.code, name: plain.name, message: "the wallet's audit log cannot go on: \(plain.message)",
                hint: "put the folder \(path) back from a copy; 'fueki audit new' gives the old log up")
        case .lockedByAnother, .diskFull, .writeFailed, .broken, .keyBesideLog, .overloaded, .closed, .sinkFailed,
            .outsideLimits, .portFailed, .witnessRefused, .badWitnessAnswer:
            return Failure(
                code: plain.code, name: plain.name,
                message: "nothing was done, because the wallet's audit log cannot record it: \(plain.message)",
                hint: "the log is in \(path)")
        }
    }
}

extension CustodyError {
    /// The failure of having a wallet's log cosigned.
    ///
    /// - Parameter url: the witness's address.
    package func failureOfWitnessing(at url: String) -> Failure {
        guard case .log(_, let error) = self else { return failure }
        switch error {
        case .rolledBack(let size, let expected):
            return Failure(
                code: .refused, name: "rolled_back",
                message:
                    "the witness says that it has seen \(expected) entries, and this log has \(size): it was set back",
                hint: "sign nothing with this wallet until you know who set it back")
        case .forked(let size):
            return Failure(
                code: .refused, name: "forked",
                message: "the witness says that it has seen another log of \(size) entries: this one was set back",
                hint: "sign nothing with this wallet until you know who did it")
        case .witnessRefused(.unknownLog):
            return Failure(
                code: .refused, name: "witness_refused", message: "the witness does not know this log",
                hint: "ask its operator to add the log's key, which 'fueki audit verify' shows")
        case .witnessRefused(.notStored):
            return Failure(
                code: .unavailable, name: "witness_failed", message: "the witness could not store the checkpoint",
                hint: "try again later")
        case .portFailed(.witness):
            return Failure(
                code: .unavailable, name: "no_witness", message: "no witness answered at \(url)",
                hint: "compare --url and --key with what its operator publishes; http:// is for this machine only")
        default: return failure
        }
    }
}
