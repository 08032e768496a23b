extension BackendFault {
    /// The fault as a sentence for users.
    func sentence(about backend: StoreBackend) -> String {
        let name = backend.title
        switch self {
        case .unavailable(let reason): return reason.sentence(about: name)
        case .timedOut: return "\(name) did not answer in time; nothing was stored elsewhere instead."
        case .locked: return "\(name) is locked."
        case .interactionNotAllowed: return "\(name) has to ask the user, and cannot show its question now."
        case .cancelled: return "\(name) asked, and the question was cancelled."
        case .authenticationFailed(nil): return "\(name) did not accept the passphrase, PIN, face or finger."
        case .authenticationFailed(let left?):
            return "\(name) did not accept the passphrase or PIN (\(left) attempts left)."
        case .lockedOut(nil): return "\(name) refuses every PIN after too many wrong ones."
        case .lockedOut(let seconds?): return "\(name) refuses every PIN after too many wrong ones, for \(seconds) s."
        case .bindingChanged(.platformState): return "\(name) sealed the key for another firmware or boot state."
        case .bindingChanged(.biometry): return "\(name) destroyed the key when the enrolled faces or fingers changed."
        case .bindingChanged(.passcode): return "\(name) destroyed the key when the passcode was removed."
        case .bindingChanged(.device): return "\(name) did not seal this key, or was cleared since."
        case .absenceUnproven: return "\(name) shows no items now, and cannot prove that there are none."
        case .earlierInstallation:
            return "\(name) has this item from an earlier installation: keep or remove those items first."
        case .ambiguous: return "\(name) has several different items of one name."
        case .sessionOnly: return "\(name) forgets at the end of the session, and this item must not be forgotten."
        case .full: return "\(name) has no room left."
        case .required: return "\(name) is needed to open the vault."
        case .damagedItem:
            return
                "\(name) has an item that is damaged, or that another program wrote."
        case .malformedAnswer: return "\(name) gave an answer that is not well formed."
        case .unsupported: return "\(name) does not have this function."
        case .refused(let code): return "\(name) refused (error \(code))."
        }
    }
}

extension BackendFault.Unavailability {
    fileprivate func sentence(about name: String) -> String {
        switch self {
        case .otherSystem: "\(name) belongs to another system."
        case .library(let file): "\(name) needs a library that is not installed: \(file)."
        case .address: "\(name) has an address that is not well formed."
        case .noSessionBus: "\(name) needs a desktop session, and there is no session bus."
        case .noService: "\(name) is not running, and could not be started."
        case .noDefaultCollection:
            "\(name) has no default keyring: create one in the desktop's password settings, and make it the default."
        case .noDevice: "\(name) is not in this machine."
        case .noPermission: "\(name) is closed to this user."
        case .noEntitlement: "\(name) needs an entitlement with which this program is not signed."
        case .noPasscode: "\(name) needs a passcode on this device."
        case .noBiometry: "\(name) needs an enrolled face or finger on this device."
        case .weakLockout(let days):
            "\(name) forgets wrong PINs so fast that a program tries all PINs of four digits in \(days) days."
        case .lockoutAuthorizationEmpty:
            "\(name) has no lockout password, so that any program can reset its counter of wrong PINs."
        }
    }
}

extension StoreBackend {
    /// The name for users, for the beginning of a sentence.
    var title: String {
        switch self {
        case .keychain: "The keychain"
        case .vault: "The vault file"
        case .secretService: "The Secret Service"
        case .kernelKeyring: "The kernel's keyring"
        case .tpm: "The TPM"
        case .secureEnclave: "The Secure Enclave"
        case .software: "The software key"
        case .memory: "The memory of this program"
        }
    }
}
