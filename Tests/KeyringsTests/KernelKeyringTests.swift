internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

@Suite("Kernel keyring", .enabled(if: KernelRig.isExpected, "\(KernelRig.absence)"))
struct KernelKeyringTests {
    private let rig = KernelRig()
    private let item = ItemAttributes.sensitive(.accessToken)

    // MARK: The suite of all stores

    @Test("the kernel stores, replaces, lists and removes items")
    func working() async throws { try await StoreSuite.checkWorking(rig) }

    @Test("tasks that save, load and delete at once leave every item whole")
    func concurrent() async throws { try await StoreSuite.checkConcurrent(rig) }

    @Test(
        "a failure state gives a typed error, and no item is lost",
        arguments: [FailureState.noPermission, .serviceMissing, .full, .foreignItem, .damaged])
    func states(_ state: FailureState) async throws { #expect(try await StoreSuite.check(state, on: rig)) }

    @Test(
        "states that the kernel does not have are not claimed",
        arguments: [FailureState.locked, .promptCancelled, .ambiguous, .libraryMissing, .deviceMissing, .lockedOut])
    func otherStates(_ state: FailureState) async throws { #expect(try await !StoreSuite.check(state, on: rig)) }

    // MARK: Items

    @Test("keytar-rs#3: an item that must outlast the session is refused, and nothing is stored")
    func refusesCritical() async throws {
        let store = rig.store()
        for kind in ItemKind.allCases {
            await #expect(throws: SecureStorageError.kernel(.sessionOnly)) {
                try await store.save(secret("x"), as: try name("a"), attributes: .critical(kind))
            }
        }
        await #expect(throws: SecureStorageError.kernel(.sessionOnly)) {
            try await store.save(SecretBytes(count: 32, from: SeededRandom(seed: 1)), as: .seed(wallet: "main"))
        }
        #expect(try await store.names(in: nil).isEmpty)
        #expect(text(try await store.load(try name("a"))) == nil)
    }

    @Test("only the level after the first unlock on this device is honoured")
    func levels() async throws {
        let store = rig.store()
        for level in Accessibility.allCases where level != .afterFirstUnlockThisDeviceOnly {
            let attributes = try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: level)
            await #expect(throws: SecureStorageError.notHonoured(level)) {
                try await store.save(secret("x"), as: try name("a"), attributes: attributes)
            }
        }
        #expect(try await store.names(in: nil).isEmpty)
    }

    @Test("items of every size up to the limit are loaded byte for byte, and larger ones are refused")
    func sizes() async throws {
        let store = rig.store()
        let longest = try ItemName(
            service: String(repeating: "s", count: 255), account: String(repeating: "a", count: 255))
        for size in [1, 512, Limits.kernelItemSize] {
            let secret = SecretBytes(count: size, from: SeededRandom(seed: UInt64(size)))
            try await store.save(secret, as: longest, attributes: item)
            let loaded = try await store.load(longest)
            let isSame = loaded?.matches(secret) ?? false
            #expect(isSame, "\(size)")
        }
        for size in [0, Limits.kernelItemSize + 1] {
            await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
                let secret = SecretBytes(count: size) { _ in }
                try await store.save(secret, as: longest, attributes: item)
            }
        }
    }

    @Test("names that the kernel's description could confuse stay separate")
    func names() async throws {
        let store = rig.store()
        let names = try [("a:1", "b"), ("a", "1:b"), ("a:", ":b"), ("1", "a;b"), ("a", "1;b")]
            .map { try ItemName(service: $0.0, account: $0.1) }
        for (number, name) in names.enumerated() {
            try await store.save(secret("\(number)"), as: name, attributes: item)
        }
        for (number, name) in names.enumerated() { #expect(text(try await store.load(name)) == "\(number)") }
        #expect(try await store.names(in: nil) == names.sorted())
        #expect(try await store.names(in: "a") == names.filter { $0.service == "a" }.sorted())
    }

    @Test("the kernel forgets an item after its lifetime, and the name can be used again")
    func lifetime() async throws {
        let brief = rig.store(lifetime: .milliseconds(1))
        let name = try name("a")
        func saveBriefly(_ name: ItemName) async throws {
            // The kernel counts in whole seconds: the item may be gone before the save has read it back.
            try await Patience.wait(for: "a save within a second") {
                do throws(SecureStorageError) {
                    try await brief.save(secret("x"), as: name, attributes: item)
                    return true
                } catch {
                    #expect(error == .kernel(.malformedAnswer))
                    return false
                }
            }
        }
        func waitForEnd(of name: ItemName) async throws {
            try await Patience.wait(for: "the end of the lifetime") { text(try await brief.load(name)) == nil }
        }
        for _ in 0..<2 {
            try await saveBriefly(name)
            try await waitForEnd(of: name)
        }
        #expect(try await brief.attributes(of: name) == nil)
        #expect(try await brief.delete(name) == false)
        // A longer lifetime replaces the shorter one, also on a key that has expired or is about to.
        for isAboutToExpire in [false, true] {
            if isAboutToExpire { try await saveBriefly(name) }
            try await rig.store().save(secret("y"), as: name, attributes: item)
            // A later item with the shorter lifetime shows when that has passed.
            let later = try SecretStoreTestSupport.name("b")
            try await saveBriefly(later)
            try await waitForEnd(of: later)
            #expect(text(try await brief.load(name)) == "y")
        }
    }

    @Test("a revoked key and one that another process removed are absent", arguments: [2, 126, 127, 128])
    func absent(_ code: Int32) async throws {
        let store = rig.store()
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        rig.faults.set(KernelError(code: code), of: .search)
        #expect(text(try await store.load(try name("a"))) == nil)
        #expect(try await store.delete(try name("a")) == false)
        rig.faults.set(nil, of: .search)
        rig.faults.set(KernelError(code: code), of: .describe)
        #expect(try await store.names(in: nil).isEmpty)
    }

    @Test(
        "the kernel's refusals are typed",
        arguments: [
            (Int32(1), BackendFault.unavailable(.noPermission)), (13, .unavailable(.noPermission)),
            (38, .unavailable(.noService)), (12, .full), (122, .full), (129, .refused(code: 129)),
            (5, .refused(code: 5)),
        ])
    func refusals(_ code: Int32, _ fault: BackendFault) async throws {
        let store = rig.store()
        rig.faults.set(KernelError(code: code), of: .search, .read)
        let error = SecureStorageError.kernel(fault)
        await #expect(throws: error) { _ = text(try await store.load(try name("a"))) }
        await #expect(throws: error) { try await store.save(secret("x"), as: try name("a"), attributes: item) }
        await #expect(throws: error) { try await store.delete(try name("a")) }
        await #expect(throws: error) { try await store.names(in: nil) }
        #expect(await store.unavailability() == fault)
        rig.faults.set(nil, of: .search, .read)
        #expect(await store.unavailability() == nil)
    }

    @Test("a key whose permissions or lifetime cannot be set is not acknowledged")
    func halfWritten() async throws {
        for call in [FaultyKeys.Call.setPermissions, .setTimeout] {
            rig.faults.set(.accessDenied, of: call)
            await #expect(throws: SecureStorageError.kernel(.unavailable(.noPermission))) {
                try await rig.store().save(secret("x"), as: try name("a"), attributes: item)
            }
            rig.faults.set(nil, of: call)
        }
    }

    @Test("a key that cannot be read back is not acknowledged")
    func forgets() async throws {
        rig.faults.set(.noKey, of: .read)
        await #expect(throws: SecureStorageError.kernel(.malformedAnswer)) {
            try await rig.store().save(secret("x"), as: try name("a"), attributes: item)
        }
    }

    @Test("bytes of another program under a name are not trusted, not replaced, and not removed silently")
    func foreign() async throws {
        let store = rig.store()
        let name = try name("a")
        try rig.plant(secret("hunter2"), name)
        await #expect(throws: SecureStorageError.wrongKind) { _ = text(try await store.load(name)) }
        await #expect(throws: SecureStorageError.wrongKind) { try await store.delete(name) }
        await #expect(throws: SecureStorageError.wrongKind) {
            try await store.save(secret("x"), as: name, attributes: item)
        }
        #expect(try await store.discard(name))
        #expect(try await store.discard(name) == false)
        try await store.save(secret("x"), as: name, attributes: item)
        // A whole item of another name.
        try rig.plant(ItemEnvelope(secret("x"), as: try Self.other, attributes: item).encoded, name)
        await #expect(throws: SecureStorageError.backend(.kernelKeyring, .damagedItem)) {
            _ = text(try await store.load(name))
        }
    }

    private static var other: ItemName { get throws { try SecretStoreTestSupport.name("other") } }

    @Test(
        "another process of the user reads an item without possession, and the group and others may do nothing",
        .enabled(if: Peer.keyutils.isExpected, "\(Peer.keyutils.absence)"))
    func permissions() async throws {
        let name = try name("a")
        try await rig.store().save(secret("x"), as: name, attributes: item)
        let key = String(try rig.key(name))
        let keyctl = try #require(Peer.path(of: "keyctl"))
        let description = try Program.output(keyctl, ["rdescribe", key])
        #expect(description.split(separator: ";").dropFirst(3).first == "3f3f0000")
        // A new session, which the user's keyring is not linked to.
        let payload = try Program.output(keyctl, ["session", "-", keyctl, "print", key])
        #expect(payload.contains("FuekiItm") || payload.hasPrefix(":hex:4675656b6949746d"))
    }
}
