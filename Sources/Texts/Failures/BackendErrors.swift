package import SecureStorage

extension BackendFault {
    /// The clause about the fault, with the backend as its subject.
    package func clause(about backend: StoreBackend) -> String {
        let it = backend.subject
        return switch self {
        case .unavailable(let reason): reason.clause(about: it)
        case .timedOut: "\(it) did not answer in time; nothing was stored elsewhere instead"
        case .locked: "\(it) is locked"
        case .interactionNotAllowed: "\(it) has to ask you, and cannot show its question now"
        case .cancelled: "\(it) asked, and the question was cancelled"
        case .authenticationFailed(nil): "\(it) did not accept the passphrase, PIN, face or finger"
        case .authenticationFailed(let left?): "\(it) did not accept the passphrase or PIN; attempts left: \(left)"
        case .lockedOut(nil): "\(it) refuses every passphrase and PIN after too many wrong ones"
        case .lockedOut(let seconds?):
            "\(it) refuses every passphrase and PIN after too many wrong ones; the next attempt is possible in \(Self.duration(seconds))"
        case .bindingChanged(.platformState):
            "\(it) does not give the key, because the firmware or boot state has changed"
        case .bindingChanged(.biometry): "\(it) destroyed the key when the enrolled faces or fingers changed"
        case .bindingChanged(.passcode): "\(it) destroyed the key when the passcode of the device was removed"
        case .bindingChanged(.device):
            "\(it) did not seal this key, or was cleared since"
        case .absenceUnproven: "\(it) shows no items now, and cannot prove that there are none"
        case .earlierInstallation:
            "\(it) has this item from an earlier installation of the app, about which you have to decide first"
        case .ambiguous: "\(it) has several different items of one name"
        case .sessionOnly: "\(it) forgets at the end of the session, and this item must not be forgotten"
        case .full: "\(it) has no room left"
        case .required: "\(it) of the machine where it was made is needed to open this"
        case .damagedItem:
            "\(it) has an item that is damaged, or that another program wrote"
        case .malformedAnswer: "\(it) gave an answer that is not well formed"
        case .unsupported: "\(it) does not have this function"
        case .refused(let code): "\(it) refused (error \(code))"
        }
    }

    /// The advice for the user; nil where the clause says it all.
    package func advice(about backend: StoreBackend) -> String? {
        switch (self, backend) {
        case (.unavailable(.library(let file)), _) where file.hasPrefix("libtss2"):
            "install tpm2-tss: on Debian the packages libtss2-esys-3.0.2-0 and libtss2-tctildr0"
        case (.unavailable(.address), .tpm):
            "FUEKI_TPM is an address of tpm2-tss: device:/dev/tpmrm0, or swtpm:path=SOCKET"
        case (.unavailable(.library), .secretService): "install libsecret: on Debian the package libsecret-1-0"
        case (.unavailable(.noSessionBus), _), (.unavailable(.noService), .secretService):
            "sign in to a desktop with GNOME Keyring or KWallet; the vault file needs none"
        case (.unavailable(.noDefaultCollection), _):
            "create a keyring in the desktop's password settings, and make it the default"
        case (.unavailable(.noPermission), .tpm): "ask the administrator to add you to the group 'tss'"
        case (.unavailable(.lockoutAuthorizationEmpty), _):
            "the administrator sets one once: tpm2_changeauth -c lockout PASSWORD"
        case (.unavailable(.weakLockout), _):
            "the administrator sets longer times: tpm2_dictionarylockout -s -n 32 -t 600 -l 86400 -p PASSWORD"
        case (.damagedItem, .secretService):
            "look at it in the desktop's password manager; remove it there if it is not needed"
        case (.locked, .secretService): "unlock the keyring: sign in to the desktop, or open its password manager"
        case (.lockedOut, .tpm):
            "wait, or let the administrator reset it: tpm2_dictionarylockout --clear-lockout -p PASSWORD"
        case (.bindingChanged(.platformState), _): "open it with the recovery passphrase, and run 'fueki store reseal'"
        case (.bindingChanged(.device), _):
            "a share of a wallet: 'fueki wallet repair'; a store: 'fueki store reseal --new-chip' with the recovery passphrase"
        case (.absenceUnproven, .secretService):
            "bring the keyring back that had them; if it is lost for good, delete the file keys.place and add the keys again"
        case (.timedOut, .secretService): "look at the desktop for an open question of the keyring, or restart it"
        default: nil
        }
    }

    private static func duration(_ seconds: Int) -> String {
        seconds < 7200 ? "\(seconds) s" : "\((seconds + 3599) / 3600) h"
    }

    package func failure(of backend: StoreBackend) -> Failure {
        let (code, name): (Failure.Code, String) =
            switch self {
            case .unavailable(.noPermission): (.permissions, "no_permission")
            case .unavailable: (.unavailable, "unavailable")
            case .timedOut: (.unavailable, "timed_out")
            case .locked, .interactionNotAllowed: (.unavailable, "locked")
            case .cancelled: (.refused, "cancelled")
            case .authenticationFailed: (.wrongPassphrase, "wrong_passphrase")
            case .lockedOut: (.wrongPassphrase, "locked_out")
            case .bindingChanged: (.other, "binding_changed")
            case .full: (.unwritable, "full")
            case .required: (.unavailable, "device_required")
            case .malformedAnswer: (.unavailable, "bad_answer")
            case .absenceUnproven, .earlierInstallation, .ambiguous, .sessionOnly, .damagedItem, .unsupported, .refused:
                (.other, "storage")
            }
        return Failure(code: code, name: name, message: clause(about: backend), hint: advice(about: backend))
    }
}

extension BackendFault.Unavailability {
    fileprivate func clause(about it: String) -> String {
        switch self {
        case .otherSystem: "\(it) belongs to another system"
        case .library(let file): "\(it) needs a library that is not installed: \(file)"
        case .address: "\(it) has an address that is not well formed"
        case .noSessionBus: "\(it) needs a desktop session, and there is no session bus"
        case .noService: "\(it) is not running, and could not be started"
        case .noDefaultCollection: "\(it) has no default keyring"
        case .noDevice: "\(it) is not in this machine"
        case .noPermission: "\(it) is closed to this user"
        case .noEntitlement: "\(it) needs an entitlement with which this program is not signed"
        case .noPasscode: "\(it) needs a passcode on this device"
        case .noBiometry: "\(it) needs an enrolled face or finger on this device"
        case .weakLockout(let days):
            "\(it) forgets wrong PINs so fast that a program tries all PINs of four digits in \(days) days"
        case .lockoutAuthorizationEmpty:
            "\(it) has no lockout password, so that any program can reset its counter of wrong PINs"
        }
    }
}

extension StoreBackend {
    /// The backend as the subject of a clause.
    package var subject: String {
        switch self {
        case .keychain: "the keychain"
        case .vault: "the vault file"
        case .secretService: "the Secret Service"
        case .kernelKeyring: "the kernel's keyring"
        case .tpm: "the TPM"
        case .secureEnclave: "the Secure Enclave"
        case .software: "the software key"
        case .memory: "the memory of this program"
        }
    }
}
