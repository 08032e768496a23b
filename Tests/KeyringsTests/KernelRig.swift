internal import CKeyrings
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import Synchronization
internal import TestSupport

@testable internal import Keyrings

/// The kernel's system calls, of which some fail on demand: for the states that a test cannot bring a kernel into.
final class FaultyKeys: KernelKeys {
    enum Call { case add, search, read, describe, unlink, setPermissions, setTimeout }

    private let keys = SystemKeys()
    private let faults = Mutex<[Call: KernelError]>([:])

    func set(_ fault: KernelError?, of calls: Call...) {
        faults.withLock { faults in for call in calls { faults[call] = fault } }
    }

    private func check(_ call: Call) throws(KernelError) {
        if let fault = faults.withLock({ $0[call] }) { throw fault }
    }

    func add(
        _ type: KeyType, _ description: String, payload: UnsafeRawBufferPointer, to keyring: Int32
    ) throws(KernelError) -> Int32 {
        try check(.add)
        return try keys.add(type, description, payload: payload, to: keyring)
    }

    func search(_ keyring: Int32, _ type: KeyType, _ description: String) throws(KernelError) -> Int32 {
        try check(.search)
        return try keys.search(keyring, type, description)
    }

    func read(_ key: Int32, into memory: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int {
        try check(.read)
        return try keys.read(key, into: memory)
    }

    func describe(_ key: Int32) throws(KernelError) -> String {
        try check(.describe)
        return try keys.describe(key)
    }

    func unlink(_ key: Int32, from keyring: Int32) throws(KernelError) {
        try check(.unlink)
        try keys.unlink(key, from: keyring)
    }

    func setPermissions(_ permissions: UInt32, of key: Int32) throws(KernelError) {
        try check(.setPermissions)
        try keys.setPermissions(permissions, of: key)
    }

    func setTimeout(_ seconds: UInt32, of key: Int32) throws(KernelError) {
        try check(.setTimeout)
        try keys.setTimeout(seconds, of: key)
    }
}

/// The kernel's own keyring of this user. The keys of one rig have a prefix of their own, and are removed with it.
final class KernelRig: StoreRig {
    static let userKeyring = Int32(ck_user_keyring)

    /// Whether tests of the kernel's keyring should run: containers often refuse its system calls.
    static var isExpected: Bool {
        var number: Int32 = 0
        let isThere = withUnsafeMutableBytes(of: &number) { (try? SystemKeys().read(userKeyring, into: $0)) != nil }
        return isThere || ProcessInfo.processInfo.environment["CI"] == "true"
    }
    static let absence = "the kernel refuses calls on keyrings, as in many containers"

    let prefix = "fueki-test-\(UUID().uuidString)"
    let faults = FaultyKeys()
    /// The keys that can no longer be found because of their permissions.
    private let hidden = Mutex<[Int32]>([])

    deinit {
        let steps = KeyringSteps(keys: SystemKeys(), lifetime: 0, description: KeyDescription(prefix: prefix))
        for name in (try? steps.names(in: nil)) ?? [] { _ = try? steps.remove(name) }
    }

    func store(lifetime: Duration? = nil) -> KernelKeyring {
        KernelKeyring(lifetime: lifetime, limit: .seconds(Patience.seconds), keys: faults, prefix: prefix)
    }

    func open() async throws(SecureStorageError) -> any SecretStore { store() }

    func key(_ name: ItemName) throws -> Int32 {
        try SystemKeys().search(Self.userKeyring, .user, KeyDescription(prefix: prefix).text(of: name))
    }

    /// Writes bytes under a name, as another program would.
    func plant(_ bytes: borrowing SecretBytes, _ name: ItemName) throws {
        _ = try bytes.withUnsafeBytes {
            try SystemKeys().add(
                .user, KeyDescription(prefix: prefix).text(of: name), payload: $0, to: Self.userKeyring)
        }
    }

    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
        let names = try ["kept", "new"].map { try name($0, in: "suite") }
        switch state {
        case .noPermission:
            try plant(secret("x"), names[1])
            // The owner keeps the right to set the permissions again.
            let keys = try names.map { try key($0) }
            hidden.withLock { $0 = keys }
            for key in keys { try SystemKeys().setPermissions(0x2020_0000, of: key) }
            return .all(.kernelKeyring, .unavailable(.noPermission))
        case .serviceMissing:
            faults.set(.noSystemCall, of: .add, .search, .read, .describe, .unlink)
            return .all(.kernelKeyring, .unavailable(.noService))
        case .full:
            faults.set(.quotaExceeded, of: .add)
            return Expectation(loading: [], saving: [.kernel(.full)])
        case .foreignItem:
            for name in names { try plant(secret("hunter2"), name) }
            return Expectation(loading: [.wrongKind], saving: [.wrongKind])
        case .damaged:
            for name in names {
                let whole = ItemEnvelope(secret("kept"), as: name, attributes: .sensitive(.accessToken)).encoded
                let damaged = SecretBytes(count: whole.count) { memory in
                    whole.withUnsafeBytes { memory.copyMemory(from: $0) }
                    memory[memory.count - 6] ^= 1
                }
                try plant(damaged, name)
            }
            let damaged = SecureStorageError.backend(.kernelKeyring, .damagedItem)
            return Expectation(loading: [damaged], saving: [damaged])
        default: return nil
        }
    }

    func leave(_ state: FailureState) async throws {
        let name = try name("kept", in: "suite")
        switch state {
        case .noPermission:
            for key in hidden.withLock({ $0 }) { try SystemKeys().setPermissions(KernelKeyring.permissions, of: key) }
        case .foreignItem, .damaged:
            try plant(ItemEnvelope(secret("kept"), as: name, attributes: .sensitive(.accessToken)).encoded, name)
        default: faults.set(nil, of: .add, .search, .read, .describe, .unlink)
        }
    }
}
