internal import Files
internal import SecretStoreTestSupport
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("Moving a store to another place")
struct StoreMigrationTests {
    let folder: SharedFolder
    /// The store of the session, as the Secret Service has it.
    private let session = FragileStore()
    private let chip = ChipDouble(attempts: 100)
    private let counter = CounterDouble(at: 41)

    init() throws { folder = try SharedFolder() }

    private var home: StoreHome {
        let (path, session, chip, counter) = (folder.path, session, chip, counter)
        return StoreHome(path: path, name: "keys") { record throws(SecureStorageError) in
            guard let record else { return VaultPlace(stem: "\(path)/keys") }
            switch record.backend {
            case .secretService:
                return SharedPlace(in: session, namespace: record.namespace, lockPath: "\(path)/keys.shared")
            case .tpm: return VaultPlace(stem: "\(path)/keys-\(record.namespace)", device: chip, counter: counter)
            default: return VaultPlace(stem: "\(path)/keys-\(record.namespace)")
            }
        }
    }

    private static func passphrases() -> StoreHome.Passphrases {
        StoreHome.Passphrases(source: secret("old"), destination: secret("new"))
    }

    /// Makes the first vault file with three items.
    private func make() async throws {
        let store = try await home.place().create(passphrase: secret("old"), random: SystemRandom())
        for account in ["a", "b", "c"] {
            try await store.save(secret("of \(account)"), as: try name(account), attributes: .sensitive(.credential))
        }
        await store.close()
    }

    private func migrate(to destination: StoreBackend = .secretService) async throws(SecureStorageError) -> Int {
        let migration = try home.plan(
            from: try home.record()?.backend ?? .vault, to: destination, random: SystemRandom())
        return try await home.move(
            migration, passphrases: Self.passphrases(), random: SystemRandom(), progress: { _ in })
    }

    @discardableResult
    private func confirm(
        _ source: String = "old", _ destination: String = "new", keeping: [String] = [], dropping: [String] = [],
        isChipLost: Bool = false
    ) async throws(SecureStorageError) -> MigrationEnding {
        guard let migration = try home.migration() else { throw .migration(.nothingPending) }
        return try await home.confirm(
            migration, passphrases: StoreHome.Passphrases(source: secret(source), destination: secret(destination)),
            deciding: try Self.decisions(keeping, dropping), isChipLost: isChipLost, random: SystemRandom(),
            progress: { _ in })
    }

    @discardableResult
    private func takeBack(
        _ source: String = "old", _ destination: String = "new", keeping: [String] = [], dropping: [String] = []
    ) async throws(SecureStorageError) -> MigrationEnding {
        guard let migration = try home.migration() else { throw .migration(.nothingPending) }
        return try await home.undo(
            migration, passphrases: StoreHome.Passphrases(source: secret(source), destination: secret(destination)),
            deciding: try Self.decisions(keeping, dropping), random: SystemRandom(), progress: { _ in })
    }

    private static func decisions(
        _ keeping: [String], _ dropping: [String]
    ) throws(SecureStorageError) -> MigrationDecisions {
        var names: [Set<ItemName>] = []
        for accounts in [keeping, dropping] {
            var set: Set<ItemName> = []
            for account in accounts { set.insert(try ItemName(service: "test", account: account)) }
            names.append(set)
        }
        return MigrationDecisions(keeping: names[0], dropping: names[1])
    }

    private func undecided(_ items: [(String, UndecidedItem.State)]) throws -> MigrationEnding {
        .undecided(try items.map { UndecidedItem(name: try name($0.0), state: $0.1) })
    }

    private func items(passphrase: String = "old") async throws -> [String] {
        let store = try await home.place().openReadOnly(passphrase: secret(passphrase))
        var texts: [String] = []
        for name in try await store.names(in: nil) { texts.append(text(try await store.load(name)) ?? "") }
        await store.close()
        return texts
    }

    private let all = ["of a", "of b", "of c"]

    @Test("every item is moved, and the old place stays until it is confirmed")
    func move() async throws {
        try await make()
        #expect(try home.record() == nil)
        #expect(try await migrate() == 3)
        #expect(try home.record()?.backend == .secretService)
        #expect(try await items() == all)
        let migration = try #require(try home.migration())
        #expect(try home.isMoved(migration))
        #expect(folder.contents.contains("keys.vault"))
        try await confirm()
        #expect(folder.contents == ["keys.place"])
        #expect(try await items() == all)
        await #expect(throws: SecureStorageError.migration(.nothingPending)) { try await confirm() }
    }

    @Test("an app that has stored nothing yet chooses its place")
    func nothingToMove() async throws {
        #expect(try await migrate() == 0)
        #expect(try home.record()?.backend == .secretService)
        #expect(try await items().isEmpty)
        try await confirm()
        #expect(folder.contents == ["keys.place"])
    }

    @Test("a move takes the passphrases of the places that exist and have one")
    func neededPassphrases() async throws {
        func needed(_ destination: StoreBackend) async throws -> [Bool] {
            let migration = try home.plan(from: .vault, to: destination, random: SystemRandom())
            let needed = try await home.passphrasesNeeded(toMove: migration)
            return [needed.source, needed.destination]
        }
        #expect(try await needed(.tpm) == [false, true])
        try await make()
        #expect(try await needed(.tpm) == [true, true])
        #expect(try await needed(.secretService) == [true, false])
    }

    @Test("undoing brings back every change that was made since, also a deletion, and leaves nothing behind")
    func undo() async throws {
        try await make()
        _ = try await migrate()
        let store = try await home.place().open(passphrase: secret(""), random: SystemRandom())
        try await store.delete(try name("a"))
        try await store.save(secret("later"), as: try name("b"), attributes: .sensitive(.accessToken))
        await store.close()
        try await takeBack()
        #expect(try home.record() == nil)
        #expect(try home.migration() == nil)
        #expect(try await items() == ["later", "of c"])
        #expect(try await session.names(in: nil).isEmpty)
    }

    @Test("an item that the new store has lost or hides keeps its old copy, is named, and waits for a decision")
    func lostItem() async throws {
        for isHidden in [false, true] {
            try await make()
            _ = try await migrate()
            if isHidden { await session.hide(["b"]) } else { await session.lose("b") }
            #expect(try await takeBack() == undecided([("b", .missing)]))
            #expect(try await confirm() == undecided([("b", .missing)]))
            #expect(try await confirm(keeping: ["a"], dropping: ["c"]) == undecided([("b", .missing)]))
            #expect(folder.contents.contains("keys.vault"))
            #expect(try await takeBack(keeping: ["b"]) == .ended(sawOldItems: true))
            #expect(try await items() == all)
            await session.hide([])
            await session.forgetAll()
            try FolderCreation.removeForGood(folder("keys.vault"))
            try FolderCreation.removeTree(folder("keys.seen"))
        }
    }

    @Test("a confirmation saves the kept item in the new store, and deletes the old copy of a dropped one by its name")
    func decisions() async throws {
        try await make()
        _ = try await migrate()
        await session.lose("a")
        await session.lose("b")
        #expect(try await confirm(dropping: ["a"]) == undecided([("b", .missing)]))
        #expect(try await confirm(keeping: ["b"], dropping: ["a"]) == .ended(sawOldItems: true))
        #expect(try await items() == ["of b", "of c"])
        #expect(folder.contents == ["keys.place"])
    }

    @Test("an item that the new store has altered is not taken for a change by the user")
    func alteredItem() async throws {
        try await make()
        _ = try await migrate()
        await session.alter("b")
        #expect(try await takeBack() == undecided([("b", .different)]))
        #expect(try await confirm() == undecided([("b", .different)]))
        #expect(try await takeBack(keeping: ["b"]) == .ended(sawOldItems: true))
        #expect(try await items() == all)
    }

    @Test("an item that was saved since, and that the new store has lost, stops the undoing")
    func lostAddition() async throws {
        try await make()
        _ = try await migrate()
        let store = try await home.place().open(passphrase: secret(""), random: SystemRandom())
        try await store.saveAll(
            [UnsavedItem(secret("of d"), as: try name("d"), attributes: .sensitive(.credential))],
            deleting: [try name("a")])
        await store.close()
        await session.lose("d")
        #expect(try await takeBack(keeping: ["d"]) == undecided([("d", .lost)]))
        #expect(try await takeBack(dropping: ["d"]) == .ended(sawOldItems: true))
        #expect(try await items() == ["of b", "of c"])
    }

    @Test("a deletion that another migration recorded, or a damaged record, proves nothing")
    func foreignRecord() async throws {
        try await make()
        _ = try await migrate()
        await session.lose("b")
        let place = try #require(try home.record()).line
        for text in [
            "fueki changes 1\nsecret-service 0123456789abcdef\ndeleted test b\n",
            "fueki changes 2\n\(place)\ndeleted test b\n", "fueki changes 1\n\(place)\ndeleted test b",
            "fueki changes 1\n\(place)\ndeleted test b\nremoved test c\n",
        ] {
            try AtomicFile.write(Array(text.utf8), to: folder("keys.changes"), replacing: .allowed)
            #expect(try await takeBack() == undecided([("b", .missing)]), "\(text)")
        }
        try AtomicFile.write(
            Array("fueki changes 1\n\(place)\ndeleted test b\n".utf8), to: folder("keys.changes"), replacing: .allowed)
        #expect(try await takeBack() == .ended(sawOldItems: true))
        #expect(try await items() == ["of a", "of c"])
    }

    @Test("the copies of an interrupted move are not deleted while their source does not show the items")
    func interruptedMove() async throws {
        try await make()
        _ = try await migrate()
        try await confirm()
        // The copies are complete, and the change of the place fails.
        try FolderCreation.make(folder(".keys.place.tmp"))
        await #expect(throws: SecureStorageError.self) { try await migrate(to: .vault) }
        FolderCreation.removeIfEmpty(folder(".keys.place.tmp"))
        await session.lose("b")
        await #expect(throws: SecureStorageError.migration(.lostItems)) { try await migrate(to: .vault) }
        #expect(try await takeBack() == undecided([("b", .missing)]))
        #expect(try await takeBack(keeping: ["b"]) == .ended(sawOldItems: true))
        #expect(try await items() == all)
    }

    @Test("a disk that is full after the change of the place leaves the old place, with the truth in the error")
    func fullDisk() async throws {
        try await make()
        let migration = try home.plan(from: .vault, to: .secretService, random: SystemRandom())
        await #expect(throws: SecureStorageError.self) {
            try await home.move(
                migration, passphrases: Self.passphrases(), random: SystemRandom(),
                progress: { step in
                    // The plan is written, and the next write of it fails.
                    if step == .comparing { try? FolderCreation.make(folder(".keys.migration.tmp")) }
                })
        }
        FolderCreation.removeIfEmpty(folder(".keys.migration.tmp"))
        #expect(try home.record() == nil)
        #expect(try await items() == all)
        #expect(try await migrate() == 3)
        #expect(try await confirm() == .ended(sawOldItems: true))
        #expect(try await items() == all)
    }

    @Test("a failure at any call while confirming loses nothing, and confirming goes on")
    func failuresOfConfirmation() async throws {
        try await make()
        _ = try await migrate()
        var call = 0
        while true {
            session.failAtCall(call)
            do {
                #expect(try await confirm() == .ended(sawOldItems: true))
                break
            } catch {
                #expect(error == .backend(.secretService, .timedOut))
                #expect(folder.contents.contains("keys.vault"))
            }
            call += 1
        }
        #expect(call > 5)
        session.failAtCall(nil)
        #expect(try await items() == all)
    }

    @Test("a second migration is refused until the first one is confirmed or undone")
    func pending() async throws {
        try await make()
        _ = try await migrate()
        await #expect(throws: SecureStorageError.migration(.unconfirmed)) { try await migrate(to: .tpm) }
        try await confirm()
        #expect(try await migrate(to: .vault) == 3)
        try await confirm()
        #expect(try await items(passphrase: "new") == all)
        #expect(try await session.names(in: nil).isEmpty)
    }

    @Test(
        "a store with a chip also has a recovery passphrase, and is sealed anew after a change of firmware or of the chip"
    )
    func chip() async throws {
        try await make()
        let migration = try home.plan(from: .vault, to: .tpm, random: SystemRandom())
        for recovery in [
            nil, "short", "1234", "aaaaaaaaaaaa", "            ", "123412341234", "1234 1234 1234", "1234abcdefg1234",
            "abcabcabcabcab", "aaaabbbbccccdddd", "abcdefg     ",
        ] {
            let weak = StoreHome.Passphrases(
                source: secret("old"), destination: secret("1234"), recovery: recovery.map(secret))
            await #expect(throws: SecureStorageError.migration(.weakRecovery)) {
                try await home.move(migration, passphrases: weak, random: SystemRandom(), progress: { _ in })
            }
        }
        for pin in ["1", "12", "123", String(repeating: "1", count: 65)] {
            let weak = StoreHome.Passphrases(
                source: secret("old"), destination: secret(pin), recovery: secret("a recovery passphrase"))
            await #expect(throws: SecureStorageError.migration(.weakPIN)) {
                try await home.move(migration, passphrases: weak, random: SystemRandom(), progress: { _ in })
            }
        }
        #expect(try home.migration() == nil)
        let passphrases = StoreHome.Passphrases(
            source: secret("old"), destination: secret("1234"), recovery: secret("a recovery passphrase"))
        #expect(
            try await home.move(migration, passphrases: passphrases, random: SystemRandom(), progress: { _ in }) == 3)
        try await confirm("old", "1234")
        #expect(try await items(passphrase: "1234") == all)
        #expect(try await items(passphrase: "a recovery passphrase") == all)

        chip.changePlatform()
        await #expect(throws: SecureStorageError.backend(.tpm, .bindingChanged(.platformState))) {
            try await items(passphrase: "1234")
        }
        await #expect(throws: SecureStorageError.migration(.weakPIN)) {
            try await home.reseal(
                recovery: secret("a recovery passphrase"), pin: secret("567"), isNewChip: false,
                random: SystemRandom())
        }
        for (recovery, pin) in [("short", "5678"), ("a recovery passphrase", "a recovery passphrase")] {
            await #expect(throws: SecureStorageError.migration(.weakRecovery)) {
                try await home.reseal(
                    recovery: secret(recovery), pin: secret(pin), isNewChip: false, random: SystemRandom())
            }
        }
        try await home.reseal(
            recovery: secret("a recovery passphrase"), pin: secret("5678"), isNewChip: false, random: SystemRandom())
        #expect(try await items(passphrase: "5678") == all)

        chip.clear()
        counter.fail(with: .bindingChanged(.device))
        await #expect(throws: SecureStorageError.self) {
            try await home.reseal(
                recovery: secret("a recovery passphrase"), pin: secret("9999"), isNewChip: false, random: SystemRandom()
            )
        }
        counter.fail(with: nil)
        try await home.reseal(
            recovery: secret("a recovery passphrase"), pin: secret("9999"), isNewChip: true, random: SystemRandom())
        #expect(try await items(passphrase: "9999") == all)
        #expect(try await items(passphrase: "a recovery passphrase") == all)
        #expect(folder.contents.count { $0.hasSuffix(".vault") } == 1)

        // An older copy is one, also for a new chip, as long as the chip knows better: attack 9.
        let path = try #require(folder.contents.first { $0.hasSuffix(".vault") })
        let old = try bytes(of: folder(path))
        let store = try await home.place().open(passphrase: secret("9999"), random: SystemRandom())
        try await store.delete(try name("a"))
        await store.close()
        try overwrite(folder(path), with: old)
        let rolledBack = SecureStorageError.rolledBack(found: counter.count - 1, expected: counter.count)
        await #expect(throws: rolledBack) {
            try await home.reseal(
                recovery: secret("a recovery passphrase"), pin: secret("8888"), isNewChip: true, random: SystemRandom())
        }
        // The credentials do not leave it either, unless the user accepts the old copy.
        let back = try home.plan(from: .tpm, to: .vault, random: SystemRandom())
        let recovered = StoreHome.Passphrases(source: secret("a recovery passphrase"), destination: secret("new"))
        await #expect(throws: rolledBack) {
            try await home.move(
                back, passphrases: recovered, isChipLost: true, random: SystemRandom(), progress: { _ in })
        }
        #expect(try home.migration() == nil)
        // Another program may have advanced the counter: the user decides, and the vault is sealed anew.
        try await home.reseal(
            recovery: secret("a recovery passphrase"), pin: secret("8888"), isNewChip: true, acceptingOlder: true,
            random: SystemRandom())
        #expect(try await items(passphrase: "8888") == all)
    }

    @Test(
        "credentials leave a chip that is gone, with the recovery passphrase, and the chip's absence does not keep them"
    )
    func lostChip() async throws {
        try await make()
        let there = try home.plan(from: .vault, to: .tpm, random: SystemRandom())
        let passphrases = StoreHome.Passphrases(
            source: secret("old"), destination: secret("1234"), recovery: secret("a recovery passphrase"))
        _ = try await home.move(there, passphrases: passphrases, random: SystemRandom(), progress: { _ in })
        try await confirm("old", "1234")
        chip.fail(with: .unavailable(.noDevice))
        counter.fail(with: .unavailable(.noDevice))
        let back = try home.plan(from: .tpm, to: .vault, random: SystemRandom())
        let recovered = StoreHome.Passphrases(source: secret("a recovery passphrase"), destination: secret("new"))
        await #expect(throws: SecureStorageError.backend(.tpm, .unavailable(.noDevice))) {
            try await home.move(back, passphrases: recovered, random: SystemRandom(), progress: { _ in })
        }
        #expect(try home.migration() == nil, "a migration that cannot begin leaves no trace")
        let wrong = StoreHome.Passphrases(source: secret("1234"), destination: secret("new"))
        await #expect(throws: SecureStorageError.wrongPassphrase) {
            try await home.move(
                back, passphrases: wrong, isChipLost: true, random: SystemRandom(), progress: { _ in })
        }
        let count = try await home.move(
            back, passphrases: recovered, isChipLost: true, random: SystemRandom(), progress: { _ in })
        #expect(count == 3)
        try await confirm("a recovery passphrase", isChipLost: true)
        #expect(try await items(passphrase: "new") == all)
        #expect(folder.contents.count { $0.hasSuffix(".vault") } == 1)
    }

    @Test("a place that forgets, the same place, and another source are refused, and nothing is changed")
    func refused() async throws {
        try await make()
        let random = SystemRandom()
        #expect(throws: SecureStorageError.backend(.kernelKeyring, .sessionOnly)) {
            try home.plan(from: .vault, to: .kernelKeyring, random: random)
        }
        #expect(throws: SecureStorageError.migration(.samePlace)) {
            try home.plan(from: .vault, to: .vault, random: random)
        }
        #expect(throws: SecureStorageError.migration(.current(.vault))) {
            try home.plan(from: .tpm, to: .secretService, random: random)
        }
        #expect(folder.contents == ["keys.seen", "keys.vault"])
    }

    @Test("a failure at any call of the new store loses nothing, and the same migration goes on")
    func failures() async throws {
        try await make()
        var call = 0
        var failed = 0
        while true {
            session.failAtCall(call)
            do {
                #expect(try await migrate() == 3)
                break
            } catch {
                #expect(error == .backend(.secretService, .timedOut))
                #expect(try home.record() == nil, "the place changed before every item was verified")
                #expect(try await items() == all)
                failed += 1
            }
            call += 1
        }
        #expect(failed > 10)
        session.failAtCall(nil)
        #expect(try await items() == all)
    }

    @Test("a failure at any call while undoing loses nothing, and undoing goes on")
    func failuresOfUndo() async throws {
        try await make()
        _ = try await migrate()
        var call = 0
        while true {
            session.failAtCall(call)
            do {
                try await takeBack()
                break
            } catch {
                #expect(error == .backend(.secretService, .timedOut))
                session.failAtCall(nil)
                #expect(try await items() == all)
            }
            call += 1
        }
        session.failAtCall(nil)
        #expect(try await items() == all)
        #expect(try await session.names(in: nil).isEmpty)
        #expect(folder.contents == ["keys.seen", "keys.vault"])
    }

    @Test("a store that acknowledges and forgets, or keeps other bytes, does not become the current one")
    func lossyStore() async throws {
        try await make()
        for fault in [FragileStore.Lie.forgets, .changes] {
            session.lie(fault)
            await #expect(throws: SecureStorageError.backend(.secretService, .malformedAnswer)) { try await migrate() }
            #expect(try home.record() == nil)
        }
        #expect(try await items() == all)
    }

    @Test("a store of the session that shows nothing is not taken for an empty one")
    func absence() async throws {
        try await make()
        _ = try await migrate()
        try await confirm()
        await session.forgetAll()
        await #expect(throws: SecureStorageError.backend(.secretService, .absenceUnproven)) {
            try await home.place().open(passphrase: secret(""), random: SystemRandom())
        }
        await #expect(throws: SecureStorageError.backend(.secretService, .absenceUnproven)) {
            try await home.place().openReadOnly(passphrase: secret(""))
        }
    }

    @Test("a recorded store that shows nothing is not moved, so that nothing takes its place: attack 1")
    func missingSource() async throws {
        try await make()
        _ = try await migrate()
        try await confirm()
        await session.forgetAll()
        await #expect(throws: SecureStorageError.migration(.sourceMissing)) { try await migrate(to: .vault) }
        #expect(try home.record()?.backend == .secretService)
        #expect(try home.migration() == nil)
    }

    @Test("a migration that another process has made meanwhile is not made again: attack 2")
    func changedMeanwhile() async throws {
        try await make()
        let planned = try home.plan(from: .vault, to: .secretService, random: SystemRandom())
        _ = try await migrate()
        await #expect(throws: SecureStorageError.migration(.changed)) {
            try await home.move(planned, passphrases: Self.passphrases(), random: SystemRandom(), progress: { _ in })
        }
        await #expect(throws: SecureStorageError.migration(.changed)) {
            try await home.confirm(
                planned, passphrases: Self.passphrases(), deciding: MigrationDecisions(), random: SystemRandom(),
                progress: { _ in })
        }
        await #expect(throws: SecureStorageError.migration(.changed)) {
            try await home.undo(
                planned, passphrases: Self.passphrases(), deciding: MigrationDecisions(), random: SystemRandom(),
                progress: { _ in })
        }
        #expect(try await items() == all)
    }

    @Test("the old items are not deleted while the new store does not show its own: attack 3")
    func confirmationOfALostStore() async throws {
        try await make()
        _ = try await migrate()
        await session.forgetAll()
        await #expect(throws: SecureStorageError.backend(.secretService, .absenceUnproven)) { try await confirm() }
        await #expect(throws: SecureStorageError.backend(.secretService, .absenceUnproven)) { try await takeBack() }
        #expect(folder.contents.contains("keys.vault"))
    }

    @Test("an interrupted attempt with other passphrases leaves nothing of them: attack 6")
    func otherPassphrases() async throws {
        try await make()
        let migration = try home.plan(from: .vault, to: .tpm, random: SystemRandom())
        // The copies are complete, and the change of the place fails.
        try FolderCreation.make(folder(".keys.place.tmp"))
        let first = StoreHome.Passphrases(
            source: secret("old"), destination: secret("1111"), recovery: secret("the first recovery"))
        await #expect(throws: SecureStorageError.self) {
            try await home.move(migration, passphrases: first, random: SystemRandom(), progress: { _ in })
        }
        FolderCreation.removeIfEmpty(folder(".keys.place.tmp"))
        #expect(folder.contents.contains { $0.hasPrefix("keys-") && $0.hasSuffix(".vault") })
        let second = StoreHome.Passphrases(
            source: secret("old"), destination: secret("2222"), recovery: secret("the second recovery"))
        let same = try home.plan(from: .vault, to: .tpm, random: SystemRandom())
        #expect(try await home.move(same, passphrases: second, random: SystemRandom(), progress: { _ in }) == 3)
        #expect(try await items(passphrase: "the second recovery") == all)
        #expect(try await items(passphrase: "2222") == all)
        await #expect(throws: SecureStorageError.self) { try await items(passphrase: "the first recovery") }
    }

    @Test("an undo after a confirmation that was interrupted makes no store without a recovery passphrase: attack 7")
    func undoAfterConfirmation() async throws {
        try await make()
        _ = try await migrate()
        let migration = try #require(try home.migration())
        try await confirm()
        try AtomicFile.write(migration.encoded, to: folder("keys.migration"), replacing: .refused)
        await #expect(throws: SecureStorageError.migration(.sourceMissing)) { try await takeBack() }
        #expect(try await items() == all)
        try await confirm()
    }

    @Test("a removed record of the place does not bring the old place back: attack 13")
    func removedRecord() async throws {
        try await make()
        _ = try await migrate()
        try FolderCreation.removeForGood(folder("keys.place"))
        #expect(throws: SecureStorageError.migration(.damagedRecord)) { try home.place() }
    }

    @Test("two folders share a store without seeing each other's items")
    func namespaces() async throws {
        let places = try (0..<2).map { number in
            SharedPlace(
                in: session, namespace: try #require(StoreNamespace("000000000000000\(number)")),
                lockPath: folder("\(number)"))
        }
        for (number, place) in places.enumerated() {
            let store = try await place.create(passphrase: secret(""), random: SystemRandom())
            try await store.save(secret("\(number)"), as: try name("a"), attributes: .sensitive(.other))
            await #expect(throws: SecureStorageError.self) {
                try await place.open(passphrase: secret(""), random: SystemRandom())
            }
            await store.close()
            await #expect(throws: SecureStorageError.closed) { _ = try await store.load(try name("a")) }
        }
        try await places[0].destroy()
        #expect(try await places[0].presence() == .absent)
        let other = try await places[1].openReadOnly(passphrase: secret(""))
        #expect(text(try await other.load(try name("a"))) == "1")
        await #expect(throws: SecureStorageError.notWritable) {
            try await other.save(secret("x"), as: try name("a"), attributes: .sensitive(.other))
        }
        await #expect(throws: SecureStorageError.notWritable) { try await other.delete(try name("a")) }
    }

    @Test("records with other lines, other characters or other lengths are refused")
    func strictRecords() throws {
        let namespace = try #require(StoreNamespace("0123456789abcdef"))
        let record = StoreRecord(.secretService, namespace: namespace)
        #expect(record.encoded == Array("fueki store 1\nsecret-service 0123456789abcdef\n".utf8))
        #expect(try StoreRecord(decoding: record.encoded) == record)
        let migration = StoreMigration(source: nil, destination: record)
        #expect(try StoreMigration(decoding: migration.encoded) == migration)
        for text in [
            "", "fueki store 1\n", "fueki store 2\nsecret-service 0123456789abcdef\n",
            "fueki store 1\nsecret-service 0123456789abcdef", "fueki store 1\nsecret-service 0123456789ABCDEF\n",
            "fueki store 1\nother 0123456789abcdef\n", "fueki store 1\nsecret-service  0123456789abcdef\n",
            "fueki store 1\nsecret-service 0123456789abcdef\n\n", "fueki store 1\r\nsecret-service 0123456789abcdef\n",
        ] {
            #expect(throws: SecureStorageError.migration(.damagedRecord)) {
                try StoreRecord(decoding: Array(text.utf8))
            }
        }
        for text in [
            "fueki migration 1\n\nsecret-service 0123456789abcdef\ncopying\n", "fueki migration 1\n-\n-\ncopying\n",
            "fueki migration 1\n-\ntpm 0123456789abcdef\n", "fueki migration 1\n-\ntpm 0123456789abcdef\nother\n",
            "fueki migration 1\ntpm 0123456789abcdef\ntpm 0123456789abcdef\nmoved\n",
            "fueki migration 1\n-\nkernel-keyring 0123456789abcdef\ncopying\n",
        ] {
            #expect(throws: SecureStorageError.migration(.damagedRecord)) {
                try StoreMigration(decoding: Array(text.utf8))
            }
        }
    }
}

/// A store that fails at one of its calls, or lies.
private actor FragileStore: SecretStore {
    enum Lie { case forgets, changes }

    nonisolated let backend = StoreBackend.secretService
    private nonisolated let fault = Mutex<(call: Int?, lie: Lie?)>((nil, nil))
    private var store = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases))

    /// Makes the call of that number fail, from now on counted from 0.
    nonisolated func failAtCall(_ call: Int?) { fault.withLock { $0.call = call } }
    nonisolated func lie(_ lie: Lie?) { fault.withLock { $0.lie = lie } }

    private var hidden: Set<String> = []

    /// Shows no item of these accounts until it is called again.
    func hide(_ accounts: Set<String>) { hidden = accounts }

    func lose(_ account: String) async {
        for name in await store.names(in: nil) where name.account == account { await store.delete(name) }
    }

    func alter(_ account: String) async {
        for name in await store.names(in: nil) where name.account == account {
            try? await store.save(secret("altered"), as: name, attributes: .sensitive(.credential))
        }
    }

    func forgetAll() { store = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases)) }

    private func count() throws(SecureStorageError) {
        let fails = fault.withLock { fault in
            guard let call = fault.call else { return false }
            fault.call = call == 0 ? nil : call - 1
            return call == 0
        }
        if fails { throw .backend(.secretService, .timedOut) }
    }

    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        try count()
        let isMark = name.account == "mark"
        switch fault.withLock({ $0.lie }) {
        case .forgets where !isMark: return
        case .changes where !isMark:
            try await store.save(
                SecretBytes(count: secret.count) { $0[0] = 1 }, as: name, attributes: attributes)
        default: try await store.save(secret, as: name, attributes: attributes)
        }
    }

    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        try count()
        return hidden.contains(name.account) ? nil : await store.load(name)
    }

    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        try count()
        return hidden.contains(name.account) ? nil : await store.attributes(of: name)
    }

    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        try count()
        return await store.delete(name)
    }

    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        try count()
        return await store.names(in: service).filter { !hidden.contains($0.account) }
    }

    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    func close() {}
}
