/// The reasons why a backend did not do what it was asked.
///
/// No fault leads to another backend: a caller reports it, and the user decides.
public enum BackendFault: Equatable, Sendable {
    /// The backend cannot be used on this machine as it is.
    case unavailable(Unavailability)
    /// The backend did not answer within the time limit. What it was asked to change may have been changed.
    case timedOut
    /// The backend or the device is locked, and the user has to unlock it first.
    case locked
    /// The item needs a prompt, and none can be shown now: the program is in the background.
    case interactionNotAllowed
    /// The user cancelled the prompt.
    case cancelled
    /// The PIN, the passphrase or the biometric check was wrong. `attemptsLeft` is nil if the backend does not count.
    case authenticationFailed(attemptsLeft: Int?)
    /// Too many wrong attempts: the backend refuses every one, also a right one. `seconds` until the next attempt, if the
    /// backend tells.
    case lockedOut(seconds: Int?)
    /// The key or the item was bound to something that has changed, and can no longer be used.
    case bindingChanged(Binding)
    /// The item was not found, and the backend could not prove that it is readable at all.
    case absenceUnproven
    /// Only an earlier installation of the app has an item of the name, and the user has to decide about it first:
    /// see `KeychainStore.earlierInstallations()` of `AppleStores`.
    case earlierInstallation
    /// Several items have the name, and they differ.
    case ambiguous
    /// The backend forgets at the end of the session, and the item must outlast it.
    case sessionOnly
    /// The backend has no room left.
    case full
    /// The vault opens only together with this backend, and it was not given.
    case required
    /// An item there is damaged, or another program or a later version wrote it.
    case damagedItem
    /// The backend's answer was not well formed, or not about what it was asked.
    case malformedAnswer
    /// The backend does not have this function.
    case unsupported
    /// The backend refused for another reason: its own number, such as an `OSStatus`, a response code or an `errno`.
    case refused(code: Int)

    /// The reason why a backend cannot be used on this machine.
    public enum Unavailability: Equatable, Sendable {
        /// The backend belongs to another system.
        case otherSystem
        /// A library is not installed, by the name of its file.
        case library(String)
        /// The address of the device is not well formed.
        case address
        /// No session bus is known: the program runs without a desktop.
        case noSessionBus
        /// No program offers the service.
        case noService
        /// The Secret Service has no default collection: the desktop has not made one yet.
        case noDefaultCollection
        /// The machine has no such device.
        case noDevice
        /// This user may not use the device or the service.
        case noPermission
        /// The program is not signed with the entitlement.
        case noEntitlement
        /// The device has no passcode.
        case noPasscode
        /// No face or finger is enrolled.
        case noBiometry
        /// The TPM's lockout authorization is empty: every program could reset its counter of wrong PINs.
        case lockoutAuthorizationEmpty
        /// The TPM forgets wrong attempts so fast that a program tries all PINs of four digits in this number of days.
        case weakLockout(days: Int)
    }

    /// The thing that a key or an item was bound to.
    public enum Binding: Equatable, Sendable {
        /// The measured state of the machine's firmware and boot: the TPM's PCRs.
        case platformState
        /// The enrolled faces and fingers.
        case biometry
        /// The device's passcode.
        case passcode
        /// The chip: it was cleared or replaced.
        case device
    }
}
