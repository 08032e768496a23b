internal import Custody
internal import SecureStorage
internal import Texts

extension ShareFault {
    /// - Parameter location: the location of the share that cannot be used.
    func failure(of location: ShareLocation) -> Failure {
        switch self {
        case .missing(let path, let place): missing(location, path, place)
        case .unreadable(let path, let error):
            error.failure(opening: "the \(location.name) share (\(path))")
        case .behind(let path, let since):
            Failure(
                code: .wrongPassphrase, name: "share_behind",
                message:
                    "the passphrase does not open the \(location.name) share (\(path)); the change of the passphrase "
                    + "on \(since.dayText) did not reach it",
                hint: "give 'fueki wallet passphrase' the passphrase from before that day as the present one, and the "
                    + "wallet's as the new one: it changes that file")
        case .foreign(let path):
            Failure(
                code: .badShare, name: "foreign_share",
                message: "\(path) is not the \(location.name) share of this wallet")
        case .outdated(let path):
            Failure(
                code: .badShare, name: "outdated_share",
                message:
                    "the \(location.name) share (\(path)) is from an older version of fueki, and can no longer sign ECDSA",
                hint: "renew the shares with 'fueki wallet refresh'; keys and addresses stay")
        case .notWritable(let path, let error):
            Failure(
                code: .unwritable, name: "share_not_writable",
                message: "cannot write to the \(location.name) share (\(path)): \(error.clause)",
                hint: "a SegWit signature is made only where failures can be recorded; make the file writable, "
                    + "or sign with other shares")
        case .notMade(let path, let error):
            error.failure(making: "the \(location.name) share \(path)")
        case .tooManyUnfinishedSignatures(let limit):
            Failure(
                code: .refused, name: "too_many_failed_signatures",
                message: "\(limit) attempts to sign with the ECDSA share of \(location.name) were interrupted",
                hint:
                    "sign with other shares (--with), or connect all of them and renew them with 'fueki wallet refresh'; if "
                    + "one is lost for good, 'fueki wallet repair --lost' renews with all others. Attempts that were "
                    + "killed count: if you killed none, the share may be under attack")
        case .tooManyFailedSignatures(let limit):
            Failure(
                code: .refused, name: "too_many_failed_signatures",
                message:
                    "\(limit) signatures with the ECDSA share of \(location.name) failed though every check passed",
                hint:
                    "sign with other shares (--with), or connect all of them and renew them with 'fueki wallet refresh': "
                    + "the share may be under attack")
        case .countsMissing(let path):
            Failure(
                code: .badShare, name: "counts_missing",
                message: "the file with the counts of the \(location.name) share (\(path)) is missing",
                hint:
                    "it belongs beside the share: bring it back, sign with other shares (--with), or renew all of them "
                    + "with 'fueki wallet refresh'")
        case .foreignCounts(let path):
            Failure(
                code: .badShare, name: "foreign_counts",
                message: "\(path) does not hold the counts of the \(location.name) share",
                hint:
                    "if it is left over from another wallet, move it away; if it was exchanged, bring the right file back"
            )
        case .otherEpoch(let path, let found, let wallet): otherEpoch(location, path, found, wallet)
        }
    }

    /// Tells the person which stick or folder to connect.
    private func missing(_ location: ShareLocation, _ path: String, _ place: MissingPlace) -> Failure {
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        let place: String =
            switch place {
            case .unmounted: "nothing is mounted at \(folder): connect the stick or disk that belongs there"
            case .folderIsThere: "the folder exists, but the file is missing: restore it"
            case .noFolder: "there is no folder \(folder): connect the stick or disk that has it"
            }
        return Failure(
            code: .badShare, name: "share_missing", message: "the \(location.name) share is not at \(path)",
            hint: "\(place); or tell where the file is now with 'fueki wallet restore', or sign with other shares")
    }

    /// The failure of a share from another epoch in place of the present one.
    private func otherEpoch(_ location: ShareLocation, _ path: String, _ found: Int, _ wallet: Int) -> Failure {
        found < wallet
            ? Failure(
                code: .badShare, name: "old_share",
                message: "\(path) is a share from before the wallet was renewed "
                    + "(epoch \(found), the wallet is at \(wallet))",
                hint:
                    "tell where the newer file is with 'fueki wallet restore'; if it no longer exists, give the place "
                    + "a new share with 'fueki wallet repair --lost \(location.name)'")
            : Failure(
                code: .badShare, name: "newer_share",
                message: "\(path) is from after a renewal that this machine does not know of "
                    + "(epoch \(found), the wallet is at \(wallet))",
                hint: "bring the wallet up to date with 'fueki wallet restore', and as many newer files as sign")
    }
}

extension ShareFileFault {
    /// - Parameter path: the path of the file.
    func failure(at path: String) -> Failure {
        switch self {
        case .otherEpoch(let found, let before):
            Failure(
                code: .badShare, name: "mixed_shares",
                message: found == before
                    ? "\(path) and the files before it are of two different renewals, both of epoch \(found)"
                    : "\(path) is of epoch \(found), and the files before it are of epoch \(before)",
                hint: "shares of different renewals do not work together: name files of one epoch only, the newest for "
                    + "which you have a threshold of share files. Destroy no file before a wallet has signed with "
                    + "them")
        case .unreadable(.notFound):
            Failure(code: .missing, name: "unreadable", message: "there is no file \(path)")
        case .unreadable(.notAVault):
            Failure(
                code: .malformed, name: "not_a_vault", message: "\(path) is not a share file: it is not a Fueki vault")
        case .unreadable(let error): error.failure(opening: path)
        case .notAShare:
            Failure(code: .badShare, name: "not_a_share", message: "\(path) holds no share of a wallet")
        case .ofAnotherWallet(let wallet):
            Failure(
                code: .badShare, name: "foreign_share", message: "\(path) is a share of the wallet '\(wallet)'",
                hint: "a wallet is restored under its own name")
        case .disagrees:
            Failure(
                code: .badShare, name: "foreign_share",
                message: "\(path) does not belong to the shares named before it, or is one of them again")
        case .inTheWay:
            Failure(
                code: .unwritable, name: "share_in_the_way",
                message: "\(path) exists already, and no share is ever overwritten",
                hint:
                    "if it is a share of a wallet of yours, 'fueki wallet restore' brings that wallet back; else choose "
                    + "another folder or name")
        }
    }
}

extension SecureStorageError {
    /// - Parameter file: the name of the file in the message: its path, or "the device share" and its path.
    func failure(opening file: String) -> Failure {
        switch self {
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase", message: "the passphrase does not open \(file)")
        case .backend(let backend, let fault): fault.failure(of: backend).reworded { "\(file): \($0)" }
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: "\(file): \(clause)")
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: "\(file): \(clause)")
        case .rolledBack:
            Failure(
                code: .badShare, name: "old_copy", message: "\(file): \(clause)",
                hint: "use the newest copy of the file; or renew the shares with 'fueki wallet refresh'")
        default: Failure(code: .badShare, name: "bad_share", message: "\(file): \(clause)")
        }
    }

    /// - Parameter thing: a file or folder, with its path.
    func failure(making thing: String) -> Failure {
        switch self {
        case .backend(let backend, let fault): fault.failure(of: backend).reworded { "\(thing): \($0)" }
        case .lockedByAnother, .outOfMemory:
            Failure(code: failure.code, name: failure.name, message: "\(thing): \(clause)")
        case .diskFull:
            Failure(code: .unwritable, name: "disk_full", message: "cannot make \(thing): \(clause)")
        default:
            Failure(
                code: .unwritable, name: "unwritable", message: "cannot make \(thing): \(reason)",
                hint: "make its folder writable, or name another one")
        }
    }
}
