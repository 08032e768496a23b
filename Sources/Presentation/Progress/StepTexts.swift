package import Custody
package import Texts

extension WalletCreation.Step {
    /// The step in words.
    package var text: StepText {
        switch self {
        case .generating: StepText(description, done: "generated the shares")
        case .dealing: StepText(description, done: "dealt the keys into shares")
        case .sealing(let location): StepText(description, done: "sealed the \(location.name) share")
        case .readingBack(let location): StepText(description, done: "read the \(location.name) share back")
        }
    }
}

extension WalletRenewal.Step {
    /// The step in words.
    package var text: StepText {
        switch self {
        case .tidying: StepText(description, done: "removed what a renewal before left behind")
        case .opening(let location): StepText(description, done: "opened the \(location.name) share")
        case .generating: StepText(description, done: "made new shares of every key")
        case .sealing(let location): StepText(description, done: "sealed the new \(location.name) share")
        case .readingBack(let location): StepText(description, done: "read the new \(location.name) share back")
        case .removingOld: StepText(description, done: "removed the old shares")
        }
    }
}

extension PassphraseChange.Step {
    /// The step in words.
    package var text: StepText {
        switch self {
        case .opening(let file): StepText("opening \(file.words)", done: "opened \(file.words)")
        case .adding(let file):
            StepText("adding the new passphrase to \(file.words)", done: "added the new passphrase to \(file.words)")
        case .readingBack(let file): StepText("reading \(file.words) back", done: "read \(file.words) back")
        case .sealing(let file):
            StepText(
                "sealing \(file.words) with the new passphrase alone",
                done: "sealed \(file.words) with the new passphrase alone")
        }
    }
}

extension PassphraseFile {
    /// The file in words: "the backup share".
    fileprivate var words: String {
        switch self {
        case .share(let location): "the \(location.name) share"
        case .book: "the book"
        }
    }
}
