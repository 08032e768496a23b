internal import Dispatch
internal import Secrets
internal import SecureStorage
internal import Synchronization

@testable internal import AppleStores

/// A device with a keychain, as Apple's systems behave. Processes use it through ``KeychainDouble``.
final class FakeDevice: Sendable {
    struct Item {
        var header: [UInt8]?
        var protection: KeychainProtection
        var value: [UInt8]
        /// The faces and fingers that were enrolled when the item was added.
        var biometry: Int
    }

    enum Lock { case beforeFirstUnlock, locked, unlocked }

    /// Apple does not document which one a system does.
    enum LockedListing: CaseIterable { case shows, fails, omits }

    struct State {
        var items: [KeychainKey: Item] = [:]
        var lock = Lock.unlocked
        /// Whether items are reported as absent before the first unlock, and not as locked, as iOS does when it prewarms.
        var hidesBeforeFirstUnlock = false
        /// The treatment of items for the unlocked device by a listing on a locked device.
        var lockedListing = LockedListing.shows
        var hasPasscode = true
        var biometry = 0
        var isFull = false
        var isReadOnly = false
    }

    let state = Mutex(State())

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    var items: [KeychainKey: Item] { state.withLock { $0.items } }

    /// Removes the passcode. The system destroys what depends on it.
    func removePasscode() {
        change { state in
            state.hasPasscode = false
            state.items = state.items.filter { _, item in
                guard case .accessible(let accessibility) = item.protection else { return false }
                return accessibility != .whenPasscodeSetThisDeviceOnly
            }
        }
    }
}

/// The keychain as one process sees it: with its access groups, its user, and its faults.
final class KeychainDouble: KeychainItems {
    enum User { case accepts, cancels, isNotRecognised, neverAnswers }

    enum Call: Equatable {
        case add(KeychainAddition), list(KeychainQuery), value(KeychainKey, KeychainPrompt), delete(KeychainKey)

        var isWrite: Bool {
            switch self {
            case .add, .delete: true
            case .list, .value: false
            }
        }
    }

    enum Fault {
        /// The process is killed before the call: this call and all later ones do nothing.
        case kill
        /// The call does nothing and gives this code.
        case fail(KeychainStatus)
        /// The call does its work and gives this code.
        case failAfter(KeychainStatus)
    }

    struct State {
        var user = User.accepts
        var isInBackground = false
        var groups = ["group.default", "group.other"]
        var isDead = false
        var calls: [Call] = []
        var faults: [Int: Fault] = [:]
        /// The result of every call, if not nil.
        var answersAll: KeychainStatus?
        var hangs = false
        /// Deletions are acknowledged and not done.
        var ignoresDeletions = false
        /// Every new value is stored with one bit changed.
        var changesValues = false
        /// New items are stored with this accessibility.
        var weakensTo: Accessibility?
        /// Items behind access control are listed without their accessibility.
        var listsNoAccessibilityOfProtected = false
        /// Called before each call.
        var everyCall: (@Sendable () -> Void)?
        /// Called before the call of that number.
        var hooks: [Int: @Sendable () -> Void] = [:]
        /// Changes what a listing returns.
        var alters: (@Sendable ([KeychainFinding]) -> [KeychainFinding])?
    }

    let device: FakeDevice
    let state = Mutex(State())
    /// Released once for each call that hangs.
    let release = DispatchSemaphore(value: 0)

    init(on device: FakeDevice = FakeDevice()) { self.device = device }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    var calls: [Call] { state.withLock { $0.calls } }
    var isDead: Bool { state.withLock { $0.isDead } }

    /// Counts the calls from now on, with faults at some of them. The first call has the number 0.
    func restart(_ faults: [Int: Fault] = [:]) {
        change { state in
            state.calls = []
            state.isDead = false
            state.faults = faults
            state.hooks = [:]
        }
    }

    /// Makes one call, with the faults of its number.
    private func make<Result: ~Copyable>(
        _ call: Call, _ work: (State) throws(KeychainStatus) -> Result
    ) throws(KeychainStatus) -> Result {
        let (hook, now) = state.withLock { state in
            state.calls.append(call)
            return (state.hooks.removeValue(forKey: state.calls.count - 1), state)
        }
        now.everyCall?()
        hook?()
        if now.hangs { release.wait() }
        let fault = now.faults[now.calls.count - 1]
        if case .kill? = fault { change { $0.isDead = true } }
        guard !state.withLock({ $0.isDead }) else { throw .internalComponent }
        if let status = now.answersAll { throw status }
        if case .fail(let status)? = fault { throw status }
        let result = try work(now)
        if case .failAfter(let status)? = fault { throw status }
        return result
    }

    private func checkEntitled(to group: String?, _ state: State) throws(KeychainStatus) {
        if let group, !state.groups.contains(group) { throw .missingEntitlement }
    }

    func add(_ item: KeychainAddition, value: borrowing SecretBytes) throws(KeychainStatus) {
        let bytes = value.withUnsafeBytes { [UInt8]($0) }
        try make(.add(item)) { state throws(KeychainStatus) in
            try checkEntitled(to: item.accessGroup, state)
            guard let group = item.accessGroup ?? state.groups.first else { throw .missingEntitlement }
            let key = KeychainKey(service: item.service, account: item.account, accessGroup: group)
            try device.state.withLock { device throws(KeychainStatus) in
                guard device.lock != .beforeFirstUnlock else { throw .interactionNotAllowed }
                guard device.items[key] == nil else { throw .duplicateItem }
                guard device.lock == .unlocked || item.protection.accessibility.isReadableWhileLocked else {
                    throw .interactionNotAllowed
                }
                if !device.hasPasscode {
                    guard item.protection.accessibility != .whenPasscodeSetThisDeviceOnly else { throw .notAvailable }
                    guard case .accessible = item.protection else { throw .authFailed }
                }
                guard !device.isReadOnly else { throw .readOnly }
                guard !device.isFull else { throw .diskFull }
                var (stored, protection) = (bytes, item.protection)
                if state.changesValues, let last = stored.indices.last { stored[last] ^= 1 }
                if let weaker = state.weakensTo {
                    protection = .accessible(weaker)
                }
                device.items[key] = FakeDevice.Item(
                    header: item.header, protection: protection, value: stored, biometry: device.biometry)
            }
        }
    }

    func list(_ query: KeychainQuery) throws(KeychainStatus) -> [KeychainFinding] {
        try make(.list(query)) { state throws(KeychainStatus) in
            try checkEntitled(to: query.accessGroup, state)
            let found = try device.state.withLock { device throws(KeychainStatus) -> [KeychainFinding] in
                guard device.lock != .beforeFirstUnlock else {
                    throw device.hidesBeforeFirstUnlock ? .itemNotFound : .interactionNotAllowed
                }
                var found: [KeychainFinding] = []
                for (key, item) in device.items {
                    guard (query.service ?? key.service) == key.service, state.groups.contains(key.accessGroup),
                        (query.accessGroup ?? key.accessGroup) == key.accessGroup
                    else { continue }
                    if device.lock == .locked, !item.protection.accessibility.isReadableWhileLocked {
                        switch device.lockedListing {
                        case .shows: break
                        case .fails: throw .interactionNotAllowed
                        case .omits: continue
                        }
                    }
                    var accessibility: Accessibility? = item.protection.accessibility
                    if case .accessControl = item.protection, state.listsNoAccessibilityOfProtected {
                        accessibility = nil
                    }
                    found.append(KeychainFinding(key: key, header: item.header, accessibility: accessibility))
                }
                return found
            }
            let altered = state.alters?(found) ?? found
            guard !altered.isEmpty else { throw .itemNotFound }
            return altered
        }
    }

    func value(of key: KeychainKey, prompt: KeychainPrompt) throws(KeychainStatus) -> SecretBytes {
        try make(.value(key, prompt)) { state throws(KeychainStatus) in
            try checkEntitled(to: key.accessGroup, state)
            let (item, lock, biometry, hides) = device.state.withLock {
                ($0.items[key], $0.lock, $0.biometry, $0.hidesBeforeFirstUnlock)
            }
            guard lock != .beforeFirstUnlock else { throw hides ? .itemNotFound : .interactionNotAllowed }
            guard let item else { throw .itemNotFound }
            guard lock == .unlocked || item.protection.accessibility.isReadableWhileLocked else {
                throw .interactionNotAllowed
            }
            if case .accessControl(_, let policy) = item.protection {
                guard policy != .biometryCurrentSet || item.biometry == biometry else { throw .itemNotFound }
                guard case .allowed = prompt, !state.isInBackground else { throw .interactionNotAllowed }
                switch state.user {
                case .accepts: break
                case .cancels: throw .userCanceled
                case .isNotRecognised: throw .authFailed
                case .neverAnswers:
                    release.wait()
                    throw .userCanceled
                }
            }
            return SecretBytes(count: item.value.count) { $0.copyBytes(from: item.value) }
        }
    }

    func delete(_ key: KeychainKey) throws(KeychainStatus) {
        try make(.delete(key)) { state throws(KeychainStatus) in
            try checkEntitled(to: key.accessGroup, state)
            try device.state.withLock { device throws(KeychainStatus) in
                guard device.lock != .beforeFirstUnlock else {
                    throw device.hidesBeforeFirstUnlock ? .itemNotFound : .interactionNotAllowed
                }
                guard !device.isReadOnly else { throw .readOnly }
                guard device.items[key] != nil else { throw .itemNotFound }
                if !state.ignoresDeletions { device.items[key] = nil }
            }
        }
    }
}

extension Accessibility {
    fileprivate var isReadableWhileLocked: Bool { self == .afterFirstUnlock || self == .afterFirstUnlockThisDeviceOnly }
}
