internal import Dispatch
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import AppleStores

@Suite("The store in the keychain")
struct KeychainStoreTests {
    private let rig: KeychainRig
    private let token = ItemAttributes.sensitive(.accessToken)

    init() throws { rig = try KeychainRig() }

    private func attributes(_ accessibility: Accessibility) throws -> ItemAttributes {
        try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: accessibility)
    }

    // MARK: Calls to the system

    @Test(
        "an item without a policy is added with its accessibility, all five levels", arguments: Accessibility.allCases)
    func accessibility(_ level: Accessibility) async throws {
        let store = try rig.store()
        try await store.save(secret("x"), as: try name("a"), attributes: try attributes(level))
        #expect(rig.device.items[try #require(rig.values(of: "a").first)]?.protection == .accessible(level))
        #expect(try await store.attributes(of: try name("a"))?.accessibility == level)
    }

    @Test("the default accessibility is after the first unlock, on this device only")
    func defaultAccessibility() async throws {
        try await rig.store().save(secret("x"), as: try name("a"), attributes: token)
        let protection = rig.device.items[try #require(rig.values(of: "a").first)]?.protection
        #expect(protection == .accessible(.afterFirstUnlockThisDeviceOnly))
    }

    @Test(
        "an item with a policy has its accessibility inside the access control", arguments: KeychainSuiteTests.policies)
    func accessControl(_ policy: AccessControlPolicy) async throws {
        try await rig.store(policy: policy).save(secret("x"), as: try name("a"), attributes: token)
        let protection = rig.device.items[try #require(rig.values(of: "a").first)]?.protection
        #expect(
            protection
                == (policy == .none
                    ? .accessible(.afterFirstUnlockThisDeviceOnly)
                    : .accessControl(.afterFirstUnlockThisDeviceOnly, policy)))
    }

    @Test(
        "a policy that protects no password is refused",
        arguments: [
            [], [.or], [.privateKeyUsage], [.biometryAny, .privateKeyUsage], [.applicationPassword, .userPresence],
            [.biometryAny, .devicePasscode, .or, .and], AccessControlFlags(rawValue: 1 << 5 | 1),
        ] as [AccessControlFlags])
    func unsuitablePolicies(_ flags: AccessControlFlags) throws {
        #expect(throws: SecureStorageError.backend(.keychain, .unsupported)) {
            try rig.store(policy: .custom(flags))
        }
    }

    @Test("services and accounts begin with the namespace and the name")
    func keys() async throws {
        try await rig.store().save(secret("0123456789abcdef"), as: .seed(wallet: "main"))
        let key = try #require(rig.values(of: "main").first)
        #expect(key.service == "com.example.wallet:fueki.seed")
        #expect(key.account.utf8.count == "main".utf8.count + 17)
        #expect(key.accessGroup == "group.default")
    }

    // MARK: Prompts

    @Test(
        "only loading may prompt, and only for an item with a policy",
        arguments: [.none, .userPresence] as [AccessControlPolicy])
    func prompts(_ policy: AccessControlPolicy) async throws {
        let store = try rig.store(policy: policy)
        let name = try name("a")
        try await store.save(secret("x"), as: name, attributes: token)
        try await store.save(secret("y"), as: name, attributes: token)
        rig.keychain.restart()
        _ = try await store.attributes(of: name)
        _ = try await store.names(in: nil)
        #expect(try await store.hasStoredData())
        _ = try await store.earlierInstallations()
        let values = rig.keychain.calls.compactMap { call -> KeychainKey? in
            guard case .value(let key, let prompt) = call else { return nil }
            #expect(prompt == .refused)
            return key
        }
        #expect(values.allSatisfy { $0.service == "com.example.wallet canary" }, "an item was decrypted")
        rig.keychain.restart()
        #expect(text(try await store.load(name)) == "y")
        let prompted = rig.keychain.calls.filter { call in
            if case .value(_, .allowed(reason: "test")) = call { true } else { false }
        }
        #expect(prompted.count == (policy == .none ? 0 : 1))
    }

    @Test("a typed item behind a policy prompts once")
    func promptsOnce() async throws {
        let store = try rig.store(policy: .userPresence)
        try await store.save(secret("token"), as: .accessToken(issuer: "mint"))
        rig.keychain.restart()
        #expect(text(try await store.load(.accessToken(issuer: "mint"))) == "token")
        let prompted = rig.keychain.calls.filter { if case .value(_, .allowed) = $0 { true } else { false } }
        #expect(prompted.count == 1)
    }

    @Test("a prompt has a longer limit than the other calls, and does not hold them up")
    func promptLimit() async throws {
        try await rig.store(policy: .userPresence).save(secret("x"), as: try name("a"), attributes: token)
        let store = try KeychainStore(
            namespace: KeychainNamespace("com.example.wallet"), accessGroup: nil, policy: .userPresence,
            installation: InstallationFile(at: rig.folder("installation")), items: rig.keychain, promptReason: "test",
            limit: .seconds(600), promptLimit: .milliseconds(50))
        rig.keychain.change { $0.user = .neverAnswers }
        for _ in 0..<2 {
            await #expect(throws: SecureStorageError.backend(.keychain, .timedOut)) {
                _ = text(try await store.load(try name("a")))
            }
        }
        #expect(try await store.attributes(of: try name("a")) == token)
        rig.keychain.release.signal()
    }

    // MARK: Isolation

    @Test("stores with different namespaces do not see each other's items, also where one begins like the other")
    func namespaces() async throws {
        let (first, second) = (try rig.store(namespace: "app"), try rig.store(namespace: "app.b"))
        try await first.save(secret("first"), as: try name("a", in: "b.c"), attributes: token)
        try await second.save(secret("second"), as: try name("a", in: "c"), attributes: token)
        try await first.save(secret("third"), as: try name("a", in: "b:c"), attributes: token)
        #expect(try await first.names(in: nil) == [try name("a", in: "b.c"), try name("a", in: "b:c")])
        #expect(try await second.names(in: nil) == [try name("a", in: "c")])
        try await first.deleteAll(in: nil)
        #expect(text(try await second.load(try name("a", in: "c"))) == "second")
    }

    @Test(
        "a namespace has no colon, no space and no other sign that could end it",
        arguments: ["", "a:b", "a b", "ä", String(repeating: "a", count: 65)])
    func badNamespaces(_ text: String) {
        #expect(throws: SecureStorageError.outsideLimits(.name)) { try KeychainNamespace(text) }
    }

    @Test("stores with different access groups do not see each other's items")
    func accessGroups() async throws {
        let first = try rig.store(accessGroup: "group.default")
        let second = try rig.store(accessGroup: "group.other")
        try await first.save(secret("first"), as: try name("a"), attributes: token)
        #expect(text(try await second.load(try name("a"))) == nil)
        try await second.save(secret("second"), as: try name("a"), attributes: token)
        #expect(text(try await first.load(try name("a"))) == "first")
        try await second.delete(try name("a"))
        #expect(text(try await first.load(try name("a"))) == "first")
    }

    @Test(
        "a store without an access group refuses an item that two groups have, and deletes in neither: keyring-rs#201")
    func ambiguous() async throws {
        try await rig.store(accessGroup: "group.default").save(secret("1"), as: try name("a"), attributes: token)
        try await rig.store(accessGroup: "group.other").save(secret("2"), as: try name("a"), attributes: token)
        let store = try rig.store()
        let ambiguous = SecureStorageError.backend(.keychain, .ambiguous)
        await #expect(throws: ambiguous) { _ = text(try await store.load(try name("a"))) }
        await #expect(throws: ambiguous) { try await store.delete(try name("a")) }
        await #expect(throws: ambiguous) { try await store.save(secret("3"), as: try name("a"), attributes: token) }
        await #expect(throws: ambiguous) { _ = try await store.attributes(of: try name("a")) }
        #expect(rig.values(of: "a").count == 2)
    }

    @Test("a group without its entitlement gives the error for it")
    func entitlement() async throws {
        let store = try rig.store(accessGroup: "group.foreign")
        await #expect(throws: SecureStorageError.backend(.keychain, .unavailable(.noEntitlement))) {
            try await store.save(secret("x"), as: try name("a"), attributes: token)
        }
    }

    @Test("a listing with an item that was not asked for is refused")
    func unaskedItem() async throws {
        let store = try rig.store(accessGroup: "group.default")
        try await store.save(secret("x"), as: try name("a"), attributes: token)
        rig.keychain.change { state in
            state.alters = { found in
                found.map { finding in
                    let key = KeychainKey(
                        service: finding.key.service, account: finding.key.account, accessGroup: "group.other")
                    return KeychainFinding(key: key, header: finding.header, accessibility: finding.accessibility)
                }
            }
        }
        await #expect(throws: SecureStorageError.backend(.keychain, .malformedAnswer)) {
            _ = text(try await store.load(try name("a")))
        }
    }

    @Test("a name that begins like another one is another item")
    func prefixes() async throws {
        let store = try rig.store()
        try await store.save(secret("short"), as: try name("a"), attributes: token)
        try await store.save(secret("long"), as: try name("ab"), attributes: token)
        #expect(try await store.delete(try name("a")))
        #expect(text(try await store.load(try name("ab"))) == "long")
    }

    // MARK: Bytes of others, and damage

    @Test("a value that was moved to another name, or has another header, is refused")
    func swapped() async throws {
        let store = try rig.store()
        try await store.save(secret("one"), as: try name("a"), attributes: token)
        try await store.save(secret("two"), as: try name("b"), attributes: token)
        let (first, second) = (try #require(rig.values(of: "a").first), try #require(rig.values(of: "b").first))
        let old = try #require(rig.device.items[first])
        let other = try #require(rig.device.items[second]?.value)
        rig.device.change { $0.items[first]?.value = other }
        await #expect(throws: SecureStorageError.itemSwapped) { _ = text(try await store.load(try name("a"))) }
        // The same value under a header that says another kind.
        rig.device.change { device in
            device.items[first] = old
            device.items[first]?.header?[6] = ItemKind.credential.rawValue
        }
        #expect(try await store.attributes(of: try name("a"))?.kind == .credential)
        await #expect(throws: SecureStorageError.tampered(.item)) { _ = text(try await store.load(try name("a"))) }
    }

    @Test("a later version of the header or of the envelope is refused and not overwritten")
    func laterVersion() async throws {
        let store = try rig.store()
        try await store.save(secret("one"), as: try name("a"), attributes: token)
        let key = try #require(rig.values(of: "a").first)
        rig.device.change { $0.items[key]?.value[4] = 2 }
        await #expect(throws: SecureStorageError.unsupportedVersion(2)) {
            _ = text(try await store.load(try name("a")))
        }
        rig.device.change { $0.items[key]?.header?[4] = 9 }
        let before = rig.device.items.count
        await #expect(throws: SecureStorageError.unsupportedVersion(9)) {
            try await store.save(secret("two"), as: try name("a"), attributes: token)
        }
        await #expect(throws: SecureStorageError.unsupportedVersion(9)) { try await store.delete(try name("a")) }
        #expect(rig.device.items.count == before)
        #expect(try await store.names(in: nil) == [try name("a")])
    }

    @Test("an item that cannot be decrypted is damaged, and can be saved again")
    func undecodable() async throws {
        let store = try rig.store()
        try await store.save(secret("one"), as: try name("a"), attributes: token)
        rig.keychain.restart([1: .fail(.decode)])
        await #expect(throws: SecureStorageError.damaged) { _ = text(try await store.load(try name("a"))) }
        try await store.save(secret("two"), as: try name("a"), attributes: token)
        #expect(text(try await store.load(try name("a"))) == "two")
    }

    // MARK: Absence

    @Test(
        "a prewarmed app does not take a hidden item for absent: luka-ios#134, firebase-ios-sdk#16505",
        arguments: [AccessControlPolicy.none, .userPresence])
    func prewarming(_ policy: AccessControlPolicy) async throws {
        let store = try rig.store(policy: policy)
        let kept = try name("a")
        try await store.save(secret("x"), as: kept, attributes: token)
        let before = rig.device.items.count
        rig.device.change { device in
            device.lock = .beforeFirstUnlock
            device.hidesBeforeFirstUnlock = true
        }
        let locked = SecureStorageError.backend(.keychain, .locked)
        await #expect(throws: locked) { _ = text(try await store.load(kept)) }
        await #expect(throws: locked) { _ = try await store.attributes(of: kept) }
        await #expect(throws: locked) { _ = try await store.names(in: nil) }
        await #expect(throws: locked) { _ = try await store.hasStoredData() }
        await #expect(throws: locked) { try await store.delete(kept) }
        await #expect(throws: locked) { try await store.save(secret("y"), as: kept, attributes: token) }
        await #expect(throws: locked) { _ = try await store.earlierInstallations() }
        #expect(rig.device.items.count == before)
        rig.device.change { $0.lock = .unlocked }
        #expect(text(try await store.load(kept)) == "x")
    }

    @Test(
        "a canary that exists and is not listed leaves absence unproven, either of the two",
        arguments: ["canary", "canary while unlocked"])
    func hiddenCanary(_ hidden: String) async throws {
        let store = try rig.store()
        try await store.save(secret("x"), as: try name("a"), attributes: token)
        rig.keychain.change {
            $0.alters = { found in found.filter { $0.key.service != "com.example.wallet \(hidden)" } }
        }
        let unproven = SecureStorageError.backend(.keychain, .absenceUnproven)
        await #expect(throws: unproven) { _ = text(try await store.load(try name("b"))) }
        await #expect(throws: unproven) { _ = try await store.names(in: nil) }
        await #expect(throws: unproven) { try await store.save(secret("y"), as: try name("a"), attributes: token) }
        #expect(text(try await store.load(try name("a"))) == "x")
    }

    @Test("a canary with other bytes leaves absence unproven")
    func wrongCanary() async throws {
        let store = try rig.store()
        #expect(text(try await store.load(try name("a"))) == nil)
        let canary = try #require(rig.device.items.keys.first { $0.service == "com.example.wallet canary" })
        rig.device.change { $0.items[canary]?.value[0] ^= 1 }
        await #expect(throws: SecureStorageError.backend(.keychain, .absenceUnproven)) {
            _ = text(try await store.load(try name("a")))
        }
    }

    @Test("an item that appears at the first unlock, between the listing and the canary, is found")
    func unlockedMeanwhile() async throws {
        let store = try rig.store()
        try await store.save(secret("x"), as: try name("a"), attributes: token)
        let device = rig.device
        for call in 1..<6 {
            device.change { device in
                device.lock = .beforeFirstUnlock
                device.hidesBeforeFirstUnlock = true
            }
            rig.keychain.restart()
            rig.keychain.change { $0.hooks = [call: { device.change { $0.lock = .unlocked } }] }
            do {
                #expect(text(try await store.load(try name("a"))) == "x", "unlocked before call \(call)")
            } catch {
                let errors: [SecureStorageError] = [
                    .backend(.keychain, .locked), .backend(.keychain, .absenceUnproven),
                ]
                #expect(errors.contains(error), "unlocked before call \(call)")
            }
        }
    }

    @Test("in the background an item behind a policy gives its own error: KeychainAccess#488")
    func background() async throws {
        let store = try rig.store(policy: .userPresence)
        try await store.save(secret("x"), as: try name("a"), attributes: token)
        rig.keychain.change { $0.isInBackground = true }
        await #expect(throws: SecureStorageError.backend(.keychain, .interactionNotAllowed)) {
            _ = text(try await store.load(try name("a")))
        }
    }

    @Test(
        "on a locked device, an item for the unlocked device is neither absent nor lost",
        arguments: FakeDevice.LockedListing.allCases, [AccessControlPolicy.none, .biometryCurrentSet])
    func lockedListing(_ listing: FakeDevice.LockedListing, policy: AccessControlPolicy) async throws {
        let store = try rig.store(policy: policy)
        let (kept, other) = (try name("a"), try name("b", in: "background"))
        try await store.save(secret("x"), as: kept, attributes: try attributes(.whenUnlockedThisDeviceOnly))
        try await rig.store().save(secret("y"), as: other, attributes: token)
        rig.device.change { device in
            device.lock = .locked
            device.lockedListing = listing
        }
        await expectOutOfReach("load") { _ = try await store.load(kept)?.count }
        if listing != .shows {
            await expectOutOfReach("save") { try await store.save(secret("z"), as: kept, attributes: token) }
            await expectOutOfReach("delete") { try await store.delete(kept) }
            await expectOutOfReach("attributes") { _ = try await store.attributes(of: kept) }
            await expectOutOfReach("names") { _ = try await store.names(in: nil) }
        }
        #expect(text(try await rig.store().load(other)) == "y")
        if listing != .omits {
            // An app in the background renews its token.
            try await rig.store().save(secret("renewed"), as: other, attributes: token)
            #expect(text(try await rig.store().load(other)) == "renewed")
            #expect(text(try await rig.store().load(try name("absent", in: "background"))) == nil)
        }
        rig.device.change { $0.lock = .unlocked }
        #expect(text(try await store.load(kept)) == "x")
    }

    /// Expects an error which says that an item may be there and cannot be reached.
    private func expectOutOfReach(_ what: String, _ call: () async throws -> Void) async {
        let faults: [BackendFault] = [.locked, .absenceUnproven, .interactionNotAllowed]
        do {
            try await call()
            Issue.record("no error: \(what)")
        } catch {
            #expect(faults.map { .backend(.keychain, $0) }.contains(error as? SecureStorageError), "\(what)")
        }
    }

    @Test("an item for the unlocked device whose remains are shown on a locked one does not come back after a save")
    func hiddenOldValue() async throws {
        let item = try name("a")
        let store = try rig.store()
        try await store.save(secret("old"), as: item, attributes: try attributes(.whenUnlocked))
        // A save that is killed after its addition.
        rig.keychain.restart([5: .kill])
        try? await store.save(secret("new"), as: item, attributes: token)
        rig.keychain.restart()
        #expect(rig.values(of: "a").count == 2)
        rig.device.change { device in
            device.lock = .locked
            device.lockedListing = .omits
        }
        await #expect(throws: SecureStorageError.self) {
            try await store.save(secret("newer"), as: item, attributes: token)
        }
        await #expect(throws: SecureStorageError.self) { try await store.delete(item) }
        rig.device.change { $0.lock = .unlocked }
        #expect(text(try await store.load(item)) == "old")
    }

    @Test("on a locked device, items for the unlocked device are locked, and the others are readable")
    func lockedDevice() async throws {
        let store = try rig.store()
        try await store.save(secret("x"), as: try name("a"), attributes: try attributes(.whenUnlockedThisDeviceOnly))
        try await store.save(secret("y"), as: try name("b"), attributes: token)
        rig.device.change { $0.lock = .locked }
        await #expect(throws: SecureStorageError.backend(.keychain, .locked)) {
            _ = text(try await store.load(try name("a")))
        }
        await #expect(throws: SecureStorageError.backend(.keychain, .locked)) {
            try await store.save(secret("z"), as: try name("a"), attributes: try attributes(.whenUnlocked))
        }
        #expect(text(try await store.load(try name("b"))) == "y")
        rig.device.change { $0.lock = .unlocked }
        #expect(text(try await store.load(try name("a"))) == "x")
    }

    // MARK: Loss by the system

    @Test("after a change of faces or fingers the loss is named, and the item is not absent: tutanota#3663")
    func biometryChanged() async throws {
        let store = try rig.store(policy: .biometryCurrentSet)
        try await store.save(secret("x"), as: try name("a"), attributes: token)
        rig.device.change { $0.biometry += 1 }
        let changed = SecureStorageError.backend(.keychain, .bindingChanged(.biometry))
        await #expect(throws: changed) { _ = text(try await store.load(try name("a"))) }
        #expect(try await store.hasStoredData())
        // Some systems no longer list the item.
        rig.device.change { device in
            device.items = device.items.filter {
                !$0.key.account.hasPrefix("a ") || $0.key.account.hasSuffix("witness")
            }
        }
        await #expect(throws: changed) { _ = text(try await store.load(try name("a"))) }
        #expect(try await store.names(in: nil) == [try name("a")])
        #expect(try await store.attributes(of: try name("a")) == token)
        try await store.save(secret("y"), as: try name("a"), attributes: token)
        #expect(text(try await store.load(try name("a"))) == "y")
    }

    @Test("after the removal of the passcode the loss is named, and a new item can be saved once there is one again")
    func passcodeRemoved() async throws {
        let store = try rig.store()
        let strict = try attributes(.whenPasscodeSetThisDeviceOnly)
        try await store.save(secret("x"), as: try name("a"), attributes: strict)
        rig.device.removePasscode()
        await #expect(throws: SecureStorageError.backend(.keychain, .bindingChanged(.passcode))) {
            _ = text(try await store.load(try name("a")))
        }
        await #expect(throws: SecureStorageError.backend(.keychain, .unavailable(.noPasscode))) {
            try await store.save(secret("y"), as: try name("a"), attributes: strict)
        }
        #expect(try await store.hasStoredData())
        rig.device.change { $0.hasPasscode = true }
        try await store.save(secret("y"), as: try name("a"), attributes: strict)
        #expect(text(try await store.load(try name("a"))) == "y")
        #expect(try await store.delete(try name("a")))
        #expect(text(try await store.load(try name("a"))) == nil)
    }

    @Test("deleting an item that the system destroyed removes what remembers it")
    func deleteDestroyed() async throws {
        let store = try rig.store(policy: .userPresence)
        try await store.save(secret("x"), as: try name("a"), attributes: token)
        rig.device.removePasscode()
        #expect(try await store.delete(try name("a")))
        #expect(text(try await store.load(try name("a"))) == nil)
        #expect(try await store.hasStoredData() == false)
    }

    // MARK: Limits and closing errors

    @Test("a service has no more items than the limit")
    func itemCount() async throws {
        let store = try rig.store()
        let key = { (number: Int) in
            KeychainKey(
                service: "com.example.wallet:test", account: "n\(number) 0000000000000000",
                accessGroup: "group.default")
        }
        rig.device.change { device in
            for number in 0..<Limits.itemCount {
                device.items[key(number)] = FakeDevice.Item(
                    header: [], protection: .accessible(.whenUnlocked), value: [], biometry: 0)
            }
        }
        await #expect(throws: SecureStorageError.outsideLimits(.itemCount)) {
            try await store.save(secret("x"), as: try name("a"), attributes: token)
        }
        rig.device.change { $0.items[key(0)] = nil }
        try await store.save(secret("x"), as: try name("a"), attributes: token)
    }

    @Test("a listing has no more items than the limit, without those of other namespaces")
    func listingLimit() async throws {
        let store = try rig.store()
        func plant(_ service: String) {
            rig.device.change { device in
                for number in 0...AppleLimits.keychainListing {
                    let key = KeychainKey(service: service, account: "\(number)", accessGroup: "group.default")
                    device.items[key] = FakeDevice.Item(
                        header: nil, protection: .accessible(.whenUnlocked), value: [], biometry: 0)
                }
            }
        }
        plant("com.example.wallet.other:test")
        #expect(try await store.names(in: nil).isEmpty)
        plant("com.example.wallet:test")
        await #expect(throws: SecureStorageError.outsideLimits(.itemCount)) { _ = try await store.names(in: nil) }
        await #expect(throws: SecureStorageError.outsideLimits(.itemCount)) {
            _ = text(try await store.load(try name("a")))
        }
    }

    @Test("an empty secret and one that is too large are refused before a call")
    func sizes() async throws {
        let store = try rig.store()
        for size in [0, Limits.itemSize + 1] {
            await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
                try await store.save(SecretBytes(count: size) { _ in }, as: try name("a"), attributes: token)
            }
        }
        #expect(rig.keychain.calls.isEmpty)
        try await store.save(SecretBytes(count: Limits.itemSize) { _ in }, as: try name("a"), attributes: token)
        let count = try await store.load(try name("a"))?.count
        #expect(count == Limits.itemSize)
    }

    @Test("neither a description nor a dump of the port's types contains a name")
    func redaction() throws {
        let key = KeychainKey(service: "SECRETNAME", account: "SECRETNAME", accessGroup: "SECRETNAME")
        var text = ""
        dump(key, to: &text)
        dump(KeychainFinding(key: key, header: nil, accessibility: nil), to: &text)
        dump(KeychainQuery(service: "SECRETNAME", accessGroup: "SECRETNAME"), to: &text)
        dump(
            KeychainAddition(
                service: "SECRETNAME", account: "SECRETNAME", accessGroup: "SECRETNAME", header: [],
                protection: .accessible(.whenUnlocked)), to: &text)
        text += "\(key) \(String(reflecting: key))"
        #expect(!text.contains("SECRETNAME"))
    }

    @Test("every code of the table has its error, and another one keeps its number")
    func statuses() {
        let fault = { (fault: BackendFault) in SecureStorageError.backend(.keychain, fault) }
        let table: [(KeychainStatus, SecureStorageError, SecureStorageError)] = [
            (.duplicateItem, .alreadyExists, .alreadyExists),
            (.itemNotFound, fault(.absenceUnproven), fault(.absenceUnproven)),
            (.interactionNotAllowed, fault(.locked), fault(.interactionNotAllowed)),
            (.interactionRequired, fault(.interactionNotAllowed), fault(.interactionNotAllowed)),
            (.inDarkWake, fault(.interactionNotAllowed), fault(.interactionNotAllowed)),
            (.dataNotAvailable, fault(.locked), fault(.locked)),
            (
                .authFailed, fault(.authenticationFailed(attemptsLeft: nil)),
                fault(.authenticationFailed(attemptsLeft: nil))
            ),
            (.userCanceled, fault(.cancelled), fault(.cancelled)),
            (.missingEntitlement, fault(.unavailable(.noEntitlement)), fault(.unavailable(.noEntitlement))),
            (.noAccessForItem, fault(.unavailable(.noPermission)), fault(.unavailable(.noPermission))),
            (.notAvailable, fault(.unavailable(.noService)), fault(.unavailable(.noService))),
            (.unimplemented, fault(.unsupported), fault(.unsupported)),
            (.decode, .damaged, .damaged), (.diskFull, fault(.full), fault(.full)),
            (.dataTooLarge, .outsideLimits(.itemSize), .outsideLimits(.itemSize)),
            (.allocate, .outOfMemory, .outOfMemory), (.param, fault(.refused(code: -50)), fault(.refused(code: -50))),
            (.malformedAnswer, fault(.malformedAnswer), fault(.malformedAnswer)),
            (KeychainStatus(rawValue: -67808), fault(.refused(code: -67808)), fault(.refused(code: -67808))),
        ]
        for (status, alone, withUser) in table {
            #expect(status.error(withUser: false) == alone)
            #expect(status.error(withUser: true) == withUser)
        }
        #expect("\(KeychainStatus.duplicateItem)" == "errSecDuplicateItem (-25299)")
        #expect("\(KeychainStatus(rawValue: -67808))" == "OSStatus (-67808)")
    }
}
