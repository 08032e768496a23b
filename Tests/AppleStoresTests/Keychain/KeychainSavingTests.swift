internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import AppleStores

/// A change of an item: its old and its new protection.
struct Change: CustomTestStringConvertible {
    var old: (policy: AccessControlPolicy, accessibility: Accessibility)
    var new: (policy: AccessControlPolicy, accessibility: Accessibility)

    var testDescription: String { "\(old) to \(new)" }

    static let all: [Change] = {
        let kinds: [(AccessControlPolicy, Accessibility)] = [
            (.none, .afterFirstUnlockThisDeviceOnly), (.none, .whenUnlocked), (.none, .whenPasscodeSetThisDeviceOnly),
            (.biometryCurrentSet, .afterFirstUnlockThisDeviceOnly), (.userPresence, .whenUnlockedThisDeviceOnly),
        ]
        return kinds.flatMap { old in kinds.map { Change(old: old, new: $0) } }
    }()

    /// One change of each shape: to the same, stronger, to and from the user's part, and between two of these.
    static let someShapes = [0, 1, 3, 9, 15, 19].map { all[$0] }

    static func attributes(_ accessibility: Accessibility) throws -> ItemAttributes {
        try ItemAttributes(kind: .accessToken, dataClass: .sensitive, accessibility: accessibility)
    }

    /// Makes a device with the old item.
    func rig() async throws -> KeychainRig {
        let rig = try KeychainRig()
        try await rig.store(policy: old.policy).save(
            secret("old"), as: try name("a"), attributes: try Self.attributes(old.accessibility))
        rig.keychain.restart()
        return rig
    }

    /// Saves the new item.
    func save(_ text: String = "new", in rig: KeychainRig, by keychain: KeychainDouble? = nil)
        async throws(SecureStorageError)
    {
        let attributes: ItemAttributes
        do { attributes = try Self.attributes(new.accessibility) } catch { throw .wrongKind }
        try await rig.store(policy: new.policy, keychain: keychain).save(
            secret(text), as: try ItemName(service: "test", account: "a"), attributes: attributes)
    }

    /// Whether all that the device has of the name is one value, and its witness if it needs one.
    func isTidy(_ rig: KeychainRig) -> Bool {
        let witnesses = rig.device.items.keys.filter { $0.account.hasSuffix(" witness") }
        let isFragile = new.policy != .none || new.accessibility == .whenPasscodeSetThisDeviceOnly
        return rig.values(of: "a").count == 1 && witnesses.count == (isFragile ? 1 : 0)
    }
}

@Suite("Replacing an item in the keychain")
struct KeychainSavingTests {
    private func load(_ rig: KeychainRig) async throws(SecureStorageError) -> String? {
        text(try await rig.store().load(try ItemName(service: "test", account: "a")))
    }

    @Test(
        "a changed accessibility or policy is applied and does not wedge the item: gumroad-mobile#252, SAMKeychain#127",
        arguments: Change.all)
    func changes(_ change: Change) async throws {
        let rig = try await change.rig()
        try await change.save(in: rig)
        #expect(try await load(rig) == "new")
        let key = try #require(rig.values(of: "a").first)
        #expect(rig.device.items[key]?.protection == KeychainProtection(change.new.accessibility, change.new.policy))
        #expect(change.isTidy(rig))
        try await change.save("newer", in: rig)
        #expect(try await load(rig) == "newer")
        #expect(change.isTidy(rig))
    }

    @Test(
        "a replacement never deletes before the new value was added and compared, and never prompts",
        arguments: Change.all)
    func order(_ change: Change) async throws {
        let rig = try await change.rig()
        try await change.save(in: rig)
        var steps = ""
        for call in rig.keychain.calls {
            switch call {
            case .add(let item): steps += item.account.hasSuffix(" witness") ? "w" : "a"
            case .list: steps += "l"
            case .value(_, let prompt):
                #expect(prompt == .refused)
                steps += "v"
            case .delete(let key): steps += key.account.hasSuffix(" witness") ? "x" : "d"
            }
        }
        let reads = change.new.policy == .none ? "v" : ""
        let isFragile = change.new.policy != .none || change.new.accessibility == .whenPasscodeSetThisDeviceOnly
        let wasFragile = change.old.policy != .none || change.old.accessibility == .whenPasscodeSetThisDeviceOnly
        // The canaries, then the steps of the save.
        #expect(steps == "llvlal\(reads)\(isFragile ? "w" : "")d\(wasFragile ? "x" : "")l")
    }

    @Test("a program killed before any call of a save leaves the old value or the new one", arguments: Change.all)
    func killed(_ change: Change) async throws {
        var kills = 0
        while true {
            let rig = try await change.rig()
            rig.keychain.restart([kills: .kill])
            let isFinished = (try? await change.save(in: rig)) != nil
            rig.keychain.restart()
            let loaded = try await load(rig)
            #expect(loaded == "old" || loaded == "new", "killed before call \(kills)")
            if isFinished {
                #expect(loaded == "new")
                break
            }
            #expect(try await rig.store().names(in: nil) == [try name("a")])
            // The next save removes the remains.
            try await change.save("next", in: rig)
            #expect(try await load(rig) == "next")
            #expect(change.isTidy(rig), "killed before call \(kills)")
            kills += 1
        }
        #expect(kills >= 5)
    }

    @Test("a program killed twice, also while it removes the remains of the first time, loses nothing")
    func killedTwice() async throws {
        let change = Change(
            old: (.none, .afterFirstUnlockThisDeviceOnly), new: (.userPresence, .afterFirstUnlockThisDeviceOnly))
        for first in 0..<10 {
            for second in 0..<14 {
                let rig = try await change.rig()
                rig.keychain.restart([first: .kill])
                try? await change.save("first", in: rig)
                rig.keychain.restart()
                // What the user saw in between is not replaced by the remains of the first save.
                let between = try await load(rig)
                rig.keychain.restart([second: .kill])
                try? await change.save("second", in: rig)
                rig.keychain.restart()
                let loaded = try await load(rig)
                #expect(["old", "first"].contains(between), "killed before \(first)")
                #expect([between, "second"].contains(loaded), "killed before \(first), then \(second)")
                #expect(try await rig.store().delete(try name("a")))
                #expect(try await load(rig) == nil)
                #expect(try await rig.store().hasStoredData() == false)
            }
        }
    }

    @Test("a call that fails, before or after its effect, leaves the old value or the new one", arguments: Change.all)
    func failing(_ change: Change) async throws {
        for isAfter in [false, true] {
            var call = 0
            while true {
                let rig = try await change.rig()
                let fault = KeychainStatus.internalComponent
                rig.keychain.restart([call: isAfter ? .failAfter(fault) : .fail(fault)])
                var isDone = true
                do { try await change.save(in: rig) } catch {
                    isDone = false
                    #expect(error == .backend(.keychain, .refused(code: -2070)))
                }
                let calls = rig.keychain.calls.count
                rig.keychain.restart()
                let loaded = try await load(rig)
                #expect(loaded == "new" || (loaded == "old" && !isDone), "call \(call) failed")
                try await change.save("next", in: rig)
                #expect(try await load(rig) == "next")
                #expect(change.isTidy(rig))
                if call >= calls { break }
                call += 1
            }
            #expect(call >= 5)
        }
    }

    @Test("a failed save removes its new value, so that it does not become the item later")
    func withdrawn() async throws {
        let change = Change(old: (.none, .whenUnlocked), new: (.none, .afterFirstUnlockThisDeviceOnly))
        let rig = try await change.rig()
        // The calls are: list both canaries and read one, list, add, list, read, delete.
        rig.keychain.restart([7: .fail(.interactionNotAllowed)])
        await #expect(throws: SecureStorageError.backend(.keychain, .locked)) { try await change.save(in: rig) }
        #expect(rig.values(of: "a").count == 1)
        #expect(try await load(rig) == "old")
    }

    @Test("a program killed before any call of a deletion leaves the item or nothing")
    func killedDeletion() async throws {
        let policies: [AccessControlPolicy] = [.none, .biometryCurrentSet]
        for policy in policies {
            var kills = 0
            while true {
                let rig = try KeychainRig(policy: policy)
                try await rig.store().save(secret("old"), as: try name("a"), attributes: .sensitive(.other))
                rig.keychain.restart([kills: .kill])
                let isFinished = (try? await rig.store().delete(try name("a"))) != nil
                rig.keychain.restart()
                let loaded = try await load(rig)
                #expect(loaded == nil || (loaded == "old" && !isFinished))
                try await rig.store().delete(try name("a"))
                #expect(try await load(rig) == nil)
                #expect(try await rig.store().hasStoredData() == false)
                if isFinished { break }
                kills += 1
            }
            #expect(kills >= 3)
        }
    }

    @Test(
        "a second process that saves between any two calls of a save, whole or killed, makes neither lose the item",
        arguments: Change.someShapes)
    func twoProcesses(_ change: Change) async throws {
        let longest = 14
        for call in 0..<longest {
            for kill in 0...longest {
                let rig = try await change.rig()
                let other = KeychainDouble(on: rig.device)
                other.restart([kill: .kill])
                let saving = KeychainSaving(
                    KeychainRecords(
                        items: other, namespace: try KeychainNamespace("com.example.wallet"), accessGroup: nil,
                        policy: change.new.policy, marker: InstallationFile(at: rig.folder("installation")),
                        random: SystemRandom()))
                let attributes = try Change.attributes(change.new.accessibility)
                let item = try name("a")
                rig.keychain.restart()
                rig.keychain.change { state in
                    state.hooks = [call: { try? saving.save(secret("other"), as: item, attributes: attributes) }]
                }
                try await change.save(in: rig)
                rig.keychain.restart()
                let loaded = try await load(rig)
                #expect(loaded == "new" || loaded == "other", "call \(call), killed before \(kill)")
                try await change.save("next", in: rig)
                #expect(try await load(rig) == "next")
                #expect(change.isTidy(rig))
            }
        }
    }

    @Test(
        "a replacement between listing and reading is followed",
        arguments: [.none, .userPresence] as [AccessControlPolicy])
    func replacedDuringLoad(_ policy: AccessControlPolicy) async throws {
        let rig = try KeychainRig(policy: policy)
        let item = try name("a")
        try await rig.store().save(secret("old"), as: item, attributes: .sensitive(.other))
        let saving = KeychainSaving(
            KeychainRecords(
                items: KeychainDouble(on: rig.device), namespace: try KeychainNamespace("com.example.wallet"),
                accessGroup: nil, policy: policy, marker: InstallationFile(at: rig.folder("installation")),
                random: SystemRandom()))
        rig.keychain.restart()
        rig.keychain.change { state in
            state.hooks = [1: { try? saving.save(secret("new"), as: item, attributes: .sensitive(.other)) }]
        }
        #expect(try await load(rig) == "new")
    }

    @Test("a new value that was stored with other bytes is noticed, and the old one remains the item")
    func changedValue() async throws {
        let change = Change(old: (.none, .whenUnlocked), new: (.none, .whenUnlocked))
        let rig = try await change.rig()
        rig.keychain.change { $0.changesValues = true }
        await #expect(throws: SecureStorageError.backend(.keychain, .malformedAnswer)) {
            try await change.save(in: rig)
        }
        rig.keychain.change { $0.changesValues = false }
        #expect(try await load(rig) == "old")
        #expect(rig.values(of: "a").count == 1)
    }

    @Test("a new value that was stored with another accessibility is noticed, and the old one remains the item")
    func weakened() async throws {
        let change = Change(
            old: (.none, .whenUnlockedThisDeviceOnly), new: (.none, .afterFirstUnlockThisDeviceOnly))
        let rig = try await change.rig()
        rig.keychain.change { $0.weakensTo = .afterFirstUnlock }
        await #expect(throws: SecureStorageError.notHonoured(.afterFirstUnlockThisDeviceOnly)) {
            try await change.save(in: rig)
        }
        #expect(try await load(rig) == "old")
        #expect(rig.values(of: "a").count == 1)
    }

    @Test("an item behind a policy may be listed without its accessibility")
    func unlistedAccessibility() async throws {
        let rig = try KeychainRig(policy: .userPresence)
        rig.keychain.change { $0.listsNoAccessibilityOfProtected = true }
        try await rig.store().save(secret("new"), as: try name("a"), attributes: .sensitive(.other))
        #expect(try await load(rig) == "new")
    }

    @Test("a deletion that is acknowledged and not done is noticed: react-native-keychain#814")
    func ignoredDeletion() async throws {
        let change = Change(old: (.none, .whenUnlocked), new: (.none, .whenUnlocked))
        let rig = try await change.rig()
        rig.keychain.change { $0.ignoresDeletions = true }
        await #expect(throws: SecureStorageError.backend(.keychain, .malformedAnswer)) {
            try await change.save(in: rig)
        }
        await #expect(throws: SecureStorageError.backend(.keychain, .malformedAnswer)) {
            try await rig.store().delete(try name("a"))
        }
        rig.keychain.change { $0.ignoresDeletions = false }
        #expect(try await load(rig) == "old")
    }
}
