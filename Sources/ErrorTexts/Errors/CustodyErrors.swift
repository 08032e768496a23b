package import Custody
internal import SecureStorage
package import Texts

extension CustodyError: Explained {
    package var failure: Failure {
        switch self {
        case .badWalletName:
            .usage(
                "this cannot be the name of a wallet",
                hint: "1 to 64 letters, digits, '.', '_' or '-', the first a letter or a digit")
        case .walletExists(let name):
            Failure(code: .unwritable, name: "wallet_exists", message: "there is a wallet '\(name)' already")
        case .label(let fault): fault.failure
        case .unfinishedCreation(let name):
            Failure(
                code: .missing, name: "unfinished_creation",
                message: "the creation of '\(name)' was interrupted, and there is no such wallet",
                hint:
                    "the same 'fueki wallet create' makes it again, and 'fueki wallet delete \(name)' removes the rest")
        case .noSuchWallet(let name):
            Failure(
                code: .missing, name: "no_such_wallet", message: "there is no wallet '\(name)'",
                hint: "'fueki wallet list' shows the wallets")
        case .damagedWallet(let name, let reason):
            Failure(
                code: .malformed, name: "damaged_wallet", message: "the wallet '\(name)' cannot be used: \(reason)",
                hint: "move its wallet.json away, and bring it back with 'fueki wallet restore'")
        case .share(let location, let fault): fault.failure(of: location)
        case .shareFile(let path, let fault): fault.failure(at: path)
        case .renewal(let fault): fault.failure
        case .passphraseChange(let fault): fault.failure
        case .notDeleted(let obstacles):
            Failure(
                code: .refused, name: "not_deleted",
                message: "nothing was deleted: \(obstacles.map(\.clause).joined(separator: "; "))",
                hint: obstacles.hint)
        case .unusablePassphrase(let flaw): flaw.failure
        case .unusablePath: .usage("a share cannot lie at a path with control characters in it")
        case .noFolder(let path, let error): SecureStorageError(error).failure(making: "the folder \(path)")
        case .noSuchShare(let name):
            Failure(
                code: .usage, name: "no_such_share", message: "the wallet has no share '\(name)'",
                hint: "'fueki wallet show' lists its shares")
        case .malformedRecord:
            Failure(
                code: .malformed, name: "malformed_record", message: "a record in a file of the wallet is malformed")
        case .wallet(let error): error.failure
        case .ceremony(let error): error.failure
        case .file(let error): error.failure
        case .book(let fault): fault.failure
        case .log(let path, let error): error.failure(ofWalletLogAt: path)
        case .badPolicy(let fault):
            Failure(
                code: .malformed, name: "bad_policy", message: "the policy is wrong: \(fault)",
                hint: "'fueki policy check FILE' shows the mistakes in a policy file")
        case .badProposal:
            Failure(
                code: .malformed, name: "bad_proposal", message: "this is not a proposal that 'pending export' wrote")
        case .approverKey(let path, let error): approverKey(path, error)
        case .unhealthyRandomness:
            Failure(
                code: .other, name: "unhealthy_randomness",
                message: "the random generator of this machine shows a sign of failure; no key or share was made",
                hint: "restart the machine, and run 'fueki doctor'")
        }
    }

    /// The failure of reading or writing the file of an approver's key.
    private func approverKey(_ path: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .alreadyExists: .outputExists(path)
        case .notFound: Failure(code: .missing, name: "unreadable", message: "there is no file \(path)")
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase", message: "the passphrase does not open \(path)")
        case .notAVault, .wrongKind:
            Failure(
                code: .malformed, name: "not_a_key", message: "\(path) is not an approver's key that 'policy key' made")
        case .inputOutput, .diskFull, .lockedByAnother: error.failure(making: "the approver's key \(path)")
        default: Failure(code: .malformed, name: "bad_key", message: "\(path): \(error.clause)")
        }
    }
}

extension LabelFault {
    fileprivate var failure: Failure {
        switch self {
        case .taken(let label, let wallet):
            Failure(
                code: .unwritable, name: "wallet_exists",
                message: "the wallet '\(wallet)' is called '\(label)' already",
                hint: "choose another name, or rename that wallet with 'fueki wallet rename'")
        case .ambiguous(let label, let wallets):
            Failure(
                code: .usage, name: "ambiguous_wallet",
                message: "several wallets are called '\(label)': \(wallets.joined(separator: ", "))",
                hint: "use the unique name of one of them")
        }
    }
}

extension DeletionObstacle {
    /// The clause about the obstacle to the deletion.
    package var clause: String {
        switch self {
        case .tooFewShares(let there, let needed):
            "\(Self.shareFiles(there)), and signing needs \(needed): without the one on this machine the coins may be "
                + "lost for good"
        case .openPayments(1): "a signed transaction is not in a block yet"
        case .openPayments(let count): "\(count) signed transactions are not in a block yet"
        case .unacknowledged(1): "the result of a payment was never reported, and the same order would pay again"
        case .unacknowledged(let count):
            "the result of \(count) payments was never reported, and the same order would pay again"
        case .proposals(1): "a proposal waits to be signed"
        case .proposals(let count): "\(count) proposals wait to be signed"
        case .unfinishedRenewal: "a renewal of the shares was interrupted"
        case .foreignFiles(let paths):
            "the wallet's folder has files that are not the wallet's: \(paths.joined(separator: ", "))"
        }
    }

    private static func shareFiles(_ count: Int) -> String {
        switch count {
        case 0: "no share file elsewhere can be reached"
        case 1: "one share file elsewhere can be reached"
        default: "\(count) share files elsewhere can be reached"
        }
    }

    /// The values of `--despite`.
    package static let words = ["few-shares", "payments", "results", "proposals", "renewal"]

    /// Whether one of these values of `--despite` names the obstacle.
    package func isNamed(by words: [String]) -> Bool { word.map(words.contains) ?? false }

    /// The value of `--despite` that names the obstacle; nil for one that cannot be overridden.
    package var word: String? {
        switch self {
        case .tooFewShares: "few-shares"
        case .openPayments: "payments"
        case .unacknowledged: "results"
        case .proposals: "proposals"
        case .unfinishedRenewal: "renewal"
        case .foreignFiles: nil
        }
    }
}

extension [DeletionObstacle] {
    fileprivate var hint: String {
        let words = compactMap(\.word)
        guard words.count == count else { return "move these files elsewhere first" }
        return "to delete it anyway: \(words.map { "--despite \($0)" }.joined(separator: " "))"
    }
}
