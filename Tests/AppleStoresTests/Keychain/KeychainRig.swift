internal import Dispatch
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport

@testable internal import AppleStores

/// An app on a device with a keychain: stores, and the file with the app's installation.
final class KeychainRig: StoreRig {
    let device = FakeDevice()
    let keychain: KeychainDouble
    let folder: SharedFolder
    let policy: AccessControlPolicy
    let limit: Duration

    init(policy: AccessControlPolicy = .none, limit: Duration = .seconds(600)) throws {
        keychain = KeychainDouble(on: device)
        folder = try SharedFolder()
        self.policy = policy
        self.limit = limit
    }

    /// Opens the store, as a new process of the app.
    func open() throws(SecureStorageError) -> any SecretStore { try store() }

    func store(
        policy: AccessControlPolicy? = nil, keychain: KeychainDouble? = nil, namespace: String = "com.example.wallet",
        accessGroup: String? = nil, marker: (any InstallationMarker)? = nil
    ) throws(SecureStorageError) -> KeychainStore {
        try KeychainStore(
            namespace: KeychainNamespace(namespace), accessGroup: accessGroup, policy: policy ?? self.policy,
            installation: marker ?? InstallationFile(at: folder("installation")), items: keychain ?? self.keychain,
            promptReason: "test", limit: limit, promptLimit: limit)
    }

    /// The keys of the values of an account, of all namespaces.
    func values(of account: String) -> [KeychainKey] {
        device.items.keys.filter { $0.account.hasPrefix("\(account) ") && !$0.account.hasSuffix("witness") }
    }

    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
        let asks = policy != .none
        func fault(_ fault: BackendFault) -> SecureStorageError { .backend(.keychain, fault) }
        func onlyLoading(_ error: BackendFault) -> Expectation { Expectation(loading: [fault(error)], saving: []) }
        func everyCall(_ status: KeychainStatus, _ error: BackendFault) -> Expectation {
            keychain.change { $0.answersAll = status }
            return .all(.keychain, error)
        }
        switch state {
        case .serviceMissing: return everyCall(.notAvailable, .unavailable(.noService))
        case .noPermission: return everyCall(.missingEntitlement, .unavailable(.noEntitlement))
        case .diesDuringCall: return everyCall(.internalComponent, .refused(code: -2070))
        case .neverAnswers:
            keychain.change { $0.hangs = true }
            return .all(.keychain, .timedOut)
        case .malformedAnswer:
            keychain.change { state in
                state.alters = { found in
                    found.map { KeychainFinding(key: $0.key, header: [1, 2, 3], accessibility: $0.accessibility) }
                }
            }
            // The new name of the suite has no item to be malformed.
            try plantUnderNewName(header: [1, 2, 3])
            return .all(.keychain, .malformedAnswer)
        case .locked:
            device.change { $0.lock = .beforeFirstUnlock }
            return .all(.keychain, .locked)
        case .promptCancelled where asks:
            keychain.change { $0.user = .cancels }
            return onlyLoading(.cancelled)
        case .promptNeverAnswered where asks:
            keychain.change { $0.user = .neverAnswers }
            return onlyLoading(.timedOut)
        case .interactionNotAllowed where asks:
            keychain.change { $0.isInBackground = true }
            return onlyLoading(.interactionNotAllowed)
        case .wrongSecret where asks:
            keychain.change { $0.user = .isNotRecognised }
            return onlyLoading(.authenticationFailed(attemptsLeft: nil))
        case .bindingChanged where policy == .biometryCurrentSet:
            device.change { $0.biometry += 1 }
            var expectation = onlyLoading(.bindingChanged(.biometry))
            // The suite saves the item anew, with the new faces or fingers.
            expectation.keepsItems = false
            return expectation
        case .deviceCleared where asks:
            device.removePasscode()
            return Expectation(
                loading: [fault(.bindingChanged(policy == .biometryCurrentSet ? .biometry : .passcode))],
                saving: [fault(.authenticationFailed(attemptsLeft: nil))], keepsItems: false)
        case .full:
            device.change { $0.isFull = true }
            return Expectation(loading: [], saving: [fault(.full)])
        case .readOnly:
            device.change { $0.isReadOnly = true }
            return Expectation(loading: [], saving: [fault(.refused(code: -25292))])
        case .ambiguous:
            device.change { device in
                for (key, item) in device.items where key.service.hasSuffix(":suite") {
                    let other = KeychainKey(
                        service: key.service, account: key.account, accessGroup: "group.other")
                    device.items[other] = item
                }
            }
            try plantUnderNewName(header: nil)
            return Expectation(
                loading: [fault(.ambiguous)], saving: [fault(.ambiguous), fault(.malformedAnswer)])
        case .foreignItem:
            device.change { device in
                device.items[Self.foreignKey("kept")] = FakeDevice.Item(
                    header: nil, protection: .accessible(.whenUnlocked), value: [1, 2, 3], biometry: 0)
            }
            try plantUnderNewName(header: nil)
            return .all(.keychain, .malformedAnswer)
        case .damaged:
            device.change { device in
                for key in device.items.keys where key.service.hasSuffix(":suite") && !key.account.hasSuffix("witness")
                {
                    device.items[key]?.value[60] ^= 1
                }
            }
            return Expectation(loading: [.damaged], saving: [])
        default: return nil
        }
    }

    static func foreignKey(_ account: String) -> KeychainKey {
        KeychainKey(service: "com.example.wallet:suite", account: account, accessGroup: "group.default")
    }

    private func plantUnderNewName(header: [UInt8]?) throws {
        device.change { device in
            device.items[Self.foreignKey("new")] = FakeDevice.Item(
                header: header, protection: .accessible(.whenUnlocked), value: [1, 2, 3], biometry: 0)
        }
    }

    func leave(_ state: FailureState) async throws {
        keychain.change { keychain in
            keychain.answersAll = nil
            keychain.hangs = false
            keychain.alters = nil
            keychain.user = .accepts
            keychain.isInBackground = false
        }
        if state == .neverAnswers || state == .promptNeverAnswered { for _ in 0..<8 { keychain.release.signal() } }
        device.change { device in
            device.lock = .unlocked
            device.isFull = false
            device.isReadOnly = false
            device.hasPasscode = true
            for account in ["kept", "new"] { device.items[Self.foreignKey(account)] = nil }
            device.items = device.items.filter { $0.key.accessGroup != "group.other" }
        }
    }
}
