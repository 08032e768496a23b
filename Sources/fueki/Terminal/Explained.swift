internal import Custody
internal import SecureStorage
internal import Threshold
internal import Wallet

/// An error of a library, put into words for the person at the terminal.
protocol Explained: Error {
    var failure: Failure { get }
}

/// Runs what may fail, and explains the failure.
func attempt<Value: ~Copyable, Problem: Explained>(
    _ body: () throws(Problem) -> Value
) throws(Failure) -> Value {
    do { return try body() } catch { throw error.failure }
}

/// Runs what may fail, and explains the failure.
func attempt<Value: ~Copyable, Problem: Explained>(
    _ body: () async throws(Problem) -> Value
) async throws(Failure) -> Value {
    do { return try await body() } catch { throw error.failure }
}

extension CustodyError: Explained {
    var failure: Failure {
        switch self {
        case .badWalletName:
            .usage(
                "this cannot be the name of a wallet",
                hint: "1 to 64 letters, digits, '.', '_' or '-', the first a letter or a digit")
        case .walletExists(let name):
            Failure(code: .unwritable, name: "wallet_exists", message: "there is a wallet \(name) already")
        case .noSuchWallet(let name):
            Failure(
                code: .unreadable, name: "no_such_wallet", message: "there is no wallet \(name)",
                hint: "'fueki wallet list' lists those there are")
        case .damagedWallet(let name, let reason):
            Failure(code: .badInput, name: "damaged_wallet", message: "wallet \(name) cannot be used: \(reason)")
        case .shareMissing(let location, let path):
            Failure(
                code: .badShare, name: "share_missing", message: "the \(location.name) share is not at \(path)",
                hint: "bring its place back (a stick, a disk), or sign with other shares")
        case .shareUnreadable(let location, let path, let error):
            unreadable("the \(location.name) share (\(path))", error)
        case .foreignShare(let location, let path):
            Failure(
                code: .badShare, name: "foreign_share",
                message: "\(path) is not the \(location.name) share of this wallet")
        case .shareFileUnreadable(let path, let error): unreadable(path, error)
        case .notAShare(let path):
            Failure(code: .badShare, name: "not_a_share", message: "\(path) holds no share of a wallet")
        case .shareOfAnother(let path, let wallet):
            Failure(
                code: .badShare, name: "foreign_share", message: "\(path) is a share of the wallet \(wallet)",
                hint: "a wallet is restored under its own name")
        case .sharesDisagree(let path):
            Failure(
                code: .badShare, name: "foreign_share",
                message: "\(path) does not belong to the shares named before it, or is one of them again")
        case .shareInTheWay(let path):
            Failure(
                code: .unwritable, name: "share_in_the_way",
                message: "\(path) exists already, and no share is ever overwritten",
                hint: "choose another folder or another name")
        case .noSuchShare(let name):
            Failure(
                code: .usage, name: "no_such_share", message: "the wallet has no share '\(name)'",
                hint: "'fueki wallet show' lists its shares")
        case .wrongNumberOfShares(let needed, let given):
            Failure(
                code: .refused, name: "wrong_number_of_shares",
                message: "\(needed) different shares sign, and \(given) \(given == 1 ? "was" : "were") named")
        case .malformedMessage:
            Failure(code: .ceremony, name: "malformed_message", message: "a holder's message is malformed")
        case .staleMessage:
            Failure(
                code: .ceremony, name: "stale_message", message: "a holder's message is of another session or step")
        case .notWhatWasConfirmed:
            Failure(
                code: .refused, name: "not_what_was_confirmed",
                message: "this is not the transaction that was confirmed; nothing was signed")
        case .refused(let refusals):
            Failure(
                code: .refused, name: "refused",
                message: "will not sign: " + refusals.map(\.description).joined(separator: "; "))
        case .wallet(let error): error.failure
        case .ceremony(let error): error.failure
        case .file(let error): error.failure
        }
    }

    /// - Parameter file: what the file is to the person: its path, or "the device share" and its path.
    private func unreadable(_ file: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase", message: "the passphrase does not open \(file)")
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: "\(file): \(error.sentence)")
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: "\(file): \(error.sentence)")
        default: Failure(code: .badShare, name: "bad_share", message: "\(file): \(error.sentence)")
        }
    }
}

extension SecureStorageError: Explained {
    /// Its description as a clause: it follows a colon.
    var sentence: String {
        var text = description
        if text.last == "." { text.removeLast() }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    var failure: Failure {
        switch self {
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: sentence)
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: sentence)
        default: Failure(code: .other, name: "storage", message: sentence)
        }
    }
}

extension WalletError: Explained {
    var failure: Failure {
        let message =
            switch self {
            case .malformed: "this is no well-formed PSBT or transaction"
            case .badAmount: "an amount is malformed, or more than there are coins"
            case .badAddress: "this is no address that this wallet can pay to"
            case .wrongNetwork: "this is for another network"
            case .badPath: "this index or derivation path is out of range"
            case .badKey: "a key is malformed"
            case .badDescriptor: "the descriptor is malformed, or its checksum is wrong"
            case .badTransaction: "no node would accept this transaction"
            case .unsupportedVersion(let version): "PSBT version \(version) is not supported, only version 0 is"
            case .duplicateKey(let field): "the PSBT holds the field \(field) twice"
            case .badField(let field): "the PSBT's field \(field) is malformed"
            case .previousTransactionMismatch(let input):
                "input \(input): the previous transaction in the PSBT is not the one that is spent"
            case .conflict(let field): "the PSBTs contradict each other in the field \(field)"
            case .badSignature(let input): "input \(input): the signature does not verify"
            case .incomplete(let input): "input \(input) is not signed"
            }
        return Failure(code: .badInput, name: "bad_input", message: message)
    }
}

extension ThresholdError: Explained {
    var failure: Failure {
        switch self {
        case .faulty(let culprits):
            Failure(
                code: .ceremony, name: "faulty_share",
                message: "the signature does not verify, because of "
                    + culprits.map { "the \(ShareLocation(index: $0.value).name) share" }.joined(separator: " and "))
        default: Failure(code: .ceremony, name: "ceremony", message: "the holders could not sign: \(self)")
        }
    }
}
