internal import Custody
internal import SecureStorage
internal import Texts

extension PassphraseFault {
    var failure: Failure {
        switch self {
        case .neither(let path):
            Failure(
                code: .wrongPassphrase, name: "neither_passphrase",
                message: "neither the present passphrase nor the new one opens \(path); nothing was changed",
                hint:
                    "if the file has an earlier passphrase, give that as the present one and the wallet's as the new one "
                    + "first; a file that is not needed can be moved away")
        case .same:
            Failure(
                code: .refused, name: "same_passphrase",
                message: "the new passphrase is the present one; nothing was changed")
        case .nothingReachable:
            Failure(
                code: .badShare, name: "no_share_file",
                message: "no share file of the wallet is in its place and can be written; nothing was changed",
                hint: "connect a place of a share (a stick, a disk), or tell where one is with 'fueki wallet restore'")
        case .unfinishedRenewal(let name):
            Failure(
                code: .refused, name: "unfinished_renewal",
                message: "a renewal of the shares of '\(name)' was interrupted; nothing was changed",
                hint: "'fueki wallet check \(name)' finds out which files count; then change the passphrase")
        case .interrupted(let path, let error):
            Failure(
                code: .unwritable, name: "change_interrupted",
                message: "the passphrase is not changed in every file: \(path): \(error.clause)",
                hint: "keep both passphrases, and run the same command again: it completes the change")
        }
    }
}
