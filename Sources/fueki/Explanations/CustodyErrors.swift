internal import Ceremonies
internal import Custody
internal import SecureStorage
internal import Terminal
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
                code: .missing, name: "no_such_wallet", message: "there is no wallet '\(name)'",
                hint: "'fueki wallet list' lists those there are")
        case .damagedWallet(let name, let reason):
            Failure(
                code: .malformed, name: "damaged_wallet", message: "the wallet '\(name)' cannot be used: \(reason)",
                hint: "move its wallet.json away, and bring it back with 'fueki wallet restore'")
        case .share(let location, let fault): fault.failure(of: location)
        case .shareFile(let path, let fault): fault.failure(at: path)
        case .renewal(let fault): fault.failure
        case .unusablePath: .usage("a share cannot lie at a path with control characters in it")
        case .noFolder(let path, let error): error.failure(making: "the folder \(path)")
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
        case .badPolicy(let fault):
            Failure(
                code: .malformed, name: "bad_policy", message: "the policy is wrong: \(fault)",
                hint: "'fueki policy check FILE' tells what is wrong with a file")
        case .badApproval: Failure(code: .malformed, name: "bad_approval", message: "this is no approval")
        case .badProposal:
            Failure(
                code: .malformed, name: "bad_proposal", message: "this is no proposal that 'pending export' wrote")
        case .approverKey(let path, let error): approverKey(path, error)
        }
    }

    /// The file of an approver's key.
    private func approverKey(_ path: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .alreadyExists: .outputExists(path)
        case .notFound: Failure(code: .missing, name: "unreadable", message: "there is no file \(path)")
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase", message: "the passphrase does not open \(path)")
        case .notAVault, .wrongKind:
            Failure(
                code: .malformed, name: "not_a_key", message: "\(path) is no approver's key that 'policy key' made")
        case .inputOutput, .diskFull, .lockedByAnother: error.failure(making: "the approver's key \(path)")
        default: Failure(code: .malformed, name: "bad_key", message: "\(path): \(error.sentence)")
        }
    }
}
