/// The ways in which a place for secrets fails: the states that the suite brings every backend into.
public enum FailureState: String, CaseIterable, Sendable, CustomStringConvertible {
    case libraryMissing = "its library is not installed"
    case serviceMissing = "nothing offers the service"
    case deviceMissing = "the device is missing"
    case noPermission = "the user may not use it"
    case neverAnswers = "it accepts calls and never answers"
    case diesDuringCall = "it dies during a call"
    case malformedAnswer = "its answer is not well formed"
    case locked = "it is locked"
    case promptCancelled = "the user cancels the prompt"
    case promptNeverAnswered = "the user never answers the prompt"
    case interactionNotAllowed = "a prompt cannot be shown now"
    case wrongSecret = "the passphrase or PIN is wrong"
    case lockedOut = "too many passphrases or PINs were wrong"
    case bindingChanged = "what the item was bound to has changed"
    case deviceCleared = "the device was cleared"
    case full = "it has no room left"
    case ambiguous = "two different items have the name"
    case foreignItem = "another program wrote bytes under the name"
    case olderCopy = "an older copy took its place"
    case damaged = "its bytes are damaged"
    case closed = "it was closed"
    case readOnly = "it is read-only"
    case lockedByAnother = "another process has it open"

    public var description: String { rawValue }
}
