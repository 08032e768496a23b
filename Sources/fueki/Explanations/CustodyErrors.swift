internal import Ceremonies
internal import Custody
internal import SecureStorage
internal import Wallet

extension CustodyError: Explained {
    var failure: Failure {
        switch self {
        case .badWalletName:
            .usage(
                "this cannot be the name of a wallet",
                hint: "1 to 64 letters, digits, '.', '_' or '-', the first a letter or a digit")
        case .walletExists(let name):
            Failure(code: .unwritable, name: "wallet_exists", message: "there is a wallet '\(name)' already")
        case .noSuchWallet(let name):
            Failure(
                code: .unreadable, name: "no_such_wallet", message: "there is no wallet '\(name)'",
                hint: "'fueki wallet list' lists those there are")
        case .damagedWallet(let name, let reason):
            Failure(
                code: .badInput, name: "damaged_wallet", message: "the wallet '\(name)' cannot be used: \(reason)",
                hint: "move its wallet.json away, and bring it back with 'fueki wallet restore'")
        case .shareMissing(let location, let path): missing(location, path)
        case .shareUnreadable(let location, let path, let error):
            unreadable("the \(location.name) share (\(path))", error)
        case .foreignShare(let location, let path):
            Failure(
                code: .badShare, name: "foreign_share",
                message: "\(path) is not the \(location.name) share of this wallet")
        case .outdatedShare(let location, let path):
            Failure(
                code: .badShare, name: "outdated_share",
                message:
                    "the \(location.name) share (\(path)) is from an older version of fueki, and signs no ECDSA any more",
                hint: "renew the shares with 'fueki wallet refresh'; keys and addresses stay")
        case .shareNotWritable(let location, let path, let error):
            Failure(
                code: .unwritable, name: "share_not_writable",
                message: "cannot write to the \(location.name) share (\(path)): \(error.sentence)",
                hint: "a SegWit signature is made only where failures can be recorded; make the file writable, "
                    + "or sign with other shares")
        case .shareNotMade(let location, let path, let error):
            notMade("the \(location.name) share \(path)", error)
        case .tooManyUnfinishedSignatures(let location, let limit):
            Failure(
                code: .refused, name: "too_many_failed_signatures",
                message: "\(limit) attempts to sign with the ECDSA share of \(location.name) broke off in the middle",
                hint:
                    "sign with other shares (--with), or connect all of them and renew them with 'fueki wallet refresh'; if "
                    + "one is lost for good, 'fueki wallet repair --lost' renews with all others. Attempts that were "
                    + "killed count: if there were none, somebody may be probing the share")
        case .tooManyFailedSignatures(let location, let limit):
            Failure(
                code: .refused, name: "too_many_failed_signatures",
                message:
                    "\(limit) signatures with the ECDSA share of \(location.name) failed though every check passed",
                hint:
                    "sign with other shares (--with), or connect all of them and renew them with 'fueki wallet refresh': "
                    + "somebody may be probing the share")
        case .countsMissing(let location, let path):
            Failure(
                code: .badShare, name: "counts_missing",
                message: "the file with the counts of the \(location.name) share (\(path)) is missing",
                hint:
                    "it belongs beside the share: bring it back, sign with other shares (--with), or renew all of them "
                    + "with 'fueki wallet refresh'")
        case .foreignCounts(let location, let path):
            Failure(
                code: .badShare, name: "foreign_counts",
                message: "\(path) does not hold the counts of the \(location.name) share",
                hint:
                    "if it is left over from another wallet, move it away; if it was exchanged, bring the right file back"
            )
        case .sharesAway(let away):
            Failure(
                code: .badShare, name: "shares_away",
                message: "\(names(away)) not where the wallet says, and each share has to be there to be renewed",
                hint: "connect its place; or, if it is lost for good, give it a new share with "
                    + "'fueki wallet repair --lost \(away.first?.name ?? "")'")
        case .tooFewShares(let needed, let missing):
            Failure(
                code: .badShare, name: "too_few_shares",
                message: "\(needed) shares have to be there, and \(names(missing)) not",
                hint: "connect their places (a stick, a disk), or tell where they are with 'fueki wallet restore'")
        case .renewalUnfinished(let name):
            Failure(
                code: .other, name: "renewal_unfinished",
                message: "it could not be seen whether the renewal of '\(name)' came to its end",
                hint: "all files are kept; run 'fueki wallet check \(name)', which finds out and tidies up")
        case .renewalUnsettled(let name, let needed):
            Failure(
                code: .badShare, name: "renewal_unsettled",
                message:
                    "a renewal of '\(name)' left files behind, and nothing was removed: fewer than \(needed) of the "
                    + "shares that count open",
                hint: "connect their places; or, if there are newer files, have them count with "
                    + "'fueki wallet restore \(name)' and --share for each of \(needed) of them")
        case .placeAway(let location, let folder):
            Failure(
                code: .badShare, name: "place_away",
                message:
                    "the new \(location.name) share would go to \(folder), and what belongs there is not connected",
                hint: "connect that place (a stick, a disk), or name another folder with --to")
        case .shareNotLost(let location, let path):
            Failure(
                code: .refused, name: "share_not_lost",
                message: "the \(location.name) share is not lost: it is at \(path), and opens; nothing was changed",
                hint:
                    "if somebody may have copied it, 'fueki wallet refresh' makes every copy worthless and removes this "
                    + "file; if you meant another share, name that one")
        case .renewalRunning(let name, let processID):
            Failure(
                code: .busy, name: "busy",
                message: "the shares of '\(name)' are in another command's hands just now"
                    + (processID.map { " (process \($0))" } ?? ""),
                hint: "let it finish; then see with 'fueki wallet show \(name)' what it did")
        case .renewedElsewhere(let name, let path, let found, let wallet, let needed):
            renewedElsewhere(name, path, found, wallet, needed)
        case .mixedEpochs(let path, let found, let before):
            Failure(
                code: .badShare, name: "mixed_shares",
                message: found == before
                    ? "\(path) and the files before it are of two different renewals, both of epoch \(found)"
                    : "\(path) is of epoch \(found), and the files before it are of epoch \(before)",
                hint: "shares of different renewals do not work together: name files of one epoch only, the newest of "
                    + "which you have as many as sign. Destroy nothing before a wallet signs with those")
        case .otherEpoch(let location, let path, let found, let wallet): otherEpoch(location, path, found, wallet)
        case .shareFileUnreadable(let path, .notFound):
            Failure(code: .unreadable, name: "unreadable", message: "there is no file \(path)")
        case .shareFileUnreadable(let path, .notAVault):
            Failure(code: .badInput, name: "not_a_vault", message: "\(path) is no share file: it is not a Fueki vault")
        case .shareFileUnreadable(let path, let error): unreadable(path, error)
        case .unusablePath: .usage("a share cannot lie at a path with control characters in it")
        case .noFolder(let path, let error): notMade("the folder \(path)", error)
        case .notAShare(let path):
            Failure(code: .badShare, name: "not_a_share", message: "\(path) holds no share of a wallet")
        case .shareOfAnother(let path, let wallet):
            Failure(
                code: .badShare, name: "foreign_share", message: "\(path) is a share of the wallet '\(wallet)'",
                hint: "a wallet is restored under its own name")
        case .sharesDisagree(let path):
            Failure(
                code: .badShare, name: "foreign_share",
                message: "\(path) does not belong to the shares named before it, or is one of them again")
        case .shareInTheWay(let path):
            Failure(
                code: .unwritable, name: "share_in_the_way",
                message: "\(path) exists already, and no share is ever overwritten",
                hint:
                    "if it is a share of a wallet of yours, 'fueki wallet restore' brings that wallet back; else choose "
                    + "another folder or name")
        case .noSuchShare(let name):
            Failure(
                code: .usage, name: "no_such_share", message: "the wallet has no share '\(name)'",
                hint: "'fueki wallet show' lists its shares")
        case .malformedRecord:
            Failure(code: .badInput, name: "malformed_record", message: "a record in a file of the wallet is malformed")
        case .wallet(let error): error.failure
        case .ceremony(let error): error.failure
        case .file(let error): error.failure
        case .book(let fault): fault.failure
        case .badPolicy(let fault):
            Failure(
                code: .badInput, name: "bad_policy", message: "the policy is wrong: \(fault)",
                hint: "'fueki policy check FILE' tells what is wrong with a file")
        case .badApproval: Failure(code: .badInput, name: "bad_approval", message: "this is no approval")
        case .badProposal:
            Failure(
                code: .badInput, name: "bad_proposal", message: "this is no proposal that 'pending export' wrote")
        case .approverKey(let path, let error): approverKey(path, error)
        }
    }

    /// Says which stick or folder to put in.
    private func missing(_ location: ShareLocation, _ path: String) -> Failure {
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        let place =
            if Disks.real.isUnmounted(folder) {
                "nothing is mounted at \(folder): connect the stick or disk that belongs there"
            } else if Disks.real.isThere(folder) {
                "the folder is there, and the file is not: bring it back"
            } else {
                "there is no folder \(folder): connect the stick or disk that has it"
            }
        return Failure(
            code: .badShare, name: "share_missing", message: "the \(location.name) share is not at \(path)",
            hint: "\(place); or tell where the file is now with 'fueki wallet restore', or sign with other shares")
    }

    /// - Parameter file: what the file is to the person: its path, or "the device share" and its path.
    private func unreadable(_ file: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase", message: "the passphrase does not open \(file)")
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: "\(file): \(error.sentence)")
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: "\(file): \(error.sentence)")
        case .rolledBack:
            Failure(
                code: .badShare, name: "old_copy", message: "\(file): \(error.sentence)",
                hint: "use the newest copy of the file; or renew the shares with 'fueki wallet refresh'")
        default: Failure(code: .badShare, name: "bad_share", message: "\(file): \(error.sentence)")
        }
    }

    /// - Parameter thing: a file or folder, with its path.
    private func notMade(_ thing: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .lockedByAnother, .outOfMemory:
            Failure(code: error.failure.code, name: error.failure.name, message: "\(thing): \(error.sentence)")
        case .diskFull:
            Failure(code: .unwritable, name: "disk_full", message: "cannot make \(thing): \(error.sentence)")
        default:
            Failure(
                code: .unwritable, name: "unwritable", message: "cannot make \(thing): \(error.reason)",
                hint: "make its folder writable, or name another one")
        }
    }

    /// The file of an approver's key.
    private func approverKey(_ path: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .alreadyExists: .outputExists(path)
        case .notFound: Failure(code: .unreadable, name: "unreadable", message: "there is no file \(path)")
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase", message: "the passphrase does not open \(path)")
        case .notAVault, .wrongKind:
            Failure(
                code: .badInput, name: "not_a_key", message: "\(path) is no approver's key that 'policy key' made")
        case .inputOutput, .diskFull, .lockedByAnother: notMade("the approver's key \(path)", error)
        default: Failure(code: .badInput, name: "bad_key", message: "\(path): \(error.sentence)")
        }
    }

    /// "the backup share is", "the backup and recovery shares are".
    private func names(_ locations: [ShareLocation]) -> String {
        let names = locations.map(\.name)
        guard let last = names.last, names.count > 1 else { return "the \(names.first ?? "") share is" }
        return "the \(names.dropLast().joined(separator: ", ")) and \(last) shares are"
    }

    /// A share of the wallet from before or after a renewal, in the place of the present one.
    private func otherEpoch(_ location: ShareLocation, _ path: String, _ found: Int, _ wallet: Int) -> Failure {
        found < wallet
            ? Failure(
                code: .badShare, name: "old_share",
                message: "\(path) is a share from before the wallet was renewed "
                    + "(epoch \(found), the wallet is at \(wallet))",
                hint:
                    "tell where the newer file is with 'fueki wallet restore'; if there is none any more, give the place "
                    + "a new share with 'fueki wallet repair --lost \(location.name)'")
            : Failure(
                code: .badShare, name: "newer_share",
                message: "\(path) is from after a renewal that this machine does not know of "
                    + "(epoch \(found), the wallet is at \(wallet))",
                hint: "bring the wallet up to date with 'fueki wallet restore', and as many newer files as sign")
    }

    /// A file that another machine's renewal, or an earlier one, made.
    private func renewedElsewhere(_ name: String, _ path: String, _ found: Int, _ wallet: Int, _ needed: Int) -> Failure
    {
        if found > wallet {
            return Failure(
                code: .badShare, name: "renewed_elsewhere",
                message:
                    "'\(name)' was renewed elsewhere: \(path) is of epoch \(found), this machine knows \(wallet)",
                hint:
                    "bring this machine up to date: 'fueki wallet restore \(name)' with --share for each of \(needed) of "
                    + "the newer files. If there are fewer than \(needed) anywhere, that renewal came to nothing: "
                    + "move them away")
        }
        if found < wallet {
            return Failure(
                code: .badShare, name: "old_share",
                message: "\(path) is a share from before '\(name)' was renewed "
                    + "(epoch \(found), the wallet is at \(wallet))",
                hint: "'fueki wallet show \(name)' names the newer files; use those, and destroy this one")
        }
        return Failure(
            code: .badShare, name: "renewed_elsewhere",
            message: "'\(name)' was renewed here and on another machine: \(path) is of the other renewal "
                + "(both epoch \(found)), and does not work with the shares here",
            hint: "either set of shares signs; keep one. To keep the other machine's: move this machine's wallet.json "
                + "away, and 'fueki wallet restore \(name)' with \(needed) of its files. Then destroy the set you give up"
        )
    }
}
