internal import Files
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("Vault file")
struct VaultFileTests {
    let folder: SharedFolder
    var path: String { folder("vault") }

    init() throws { folder = try SharedFolder() }

    /// A closed vault with one item.
    private func makeVault(freshness: Freshness = .unchecked) async throws {
        let vault = try VaultFile.createCheaply(at: path, freshness: freshness)
        try await vault.save(secret("the share"), as: try name("share"), attributes: .critical(.keyShare))
        await vault.close()
    }

    @Test("saved items exist after closing and opening, with the real key derivation")
    func reopens() async throws {
        let vault = try VaultFile.create(
            at: path, passphrase: secret("correct horse"), freshness: .unchecked, random: SystemRandom())
        try await vault.save(secret("the share"), as: try name("share"), attributes: .critical(.keyShare))
        await vault.close()
        let again = try VaultFile.open(
            at: path, passphrase: secret("correct horse"), freshness: .atLeast(2), random: SystemRandom())
        #expect(text(try await again.load(try name("share"))) == "the share")
        #expect(try await again.attributes(of: try name("share")) == .critical(.keyShare))
        #expect(try await again.generation == 2)
        #expect(again.id == vault.id)
        let image = try VaultImage(decoding: try bytes(of: path))
        #expect(image.slots.map(\.stretching) == [.standard])
    }

    @Test("a wrong passphrase is refused, and so are an empty one and one that is too long")
    func wrongPassphrase() async throws {
        try await makeVault()
        for wrong in ["correct horsf", "correct hors", "correct horse "] {
            #expect(throws: SecureStorageError.wrongPassphrase) {
                try VaultFile.openCheaply(at: path, passphrase: wrong)
            }
        }
        for bad in ["", String(repeating: "a", count: 1025)] {
            #expect(throws: SecureStorageError.outsideLimits(.passphrase)) {
                try VaultFile.openCheaply(at: path, passphrase: bad)
            }
            #expect(throws: SecureStorageError.outsideLimits(.passphrase)) {
                try VaultFile.createCheaply(at: folder("other"), passphrase: bad)
            }
        }
        #expect(folder.contents == ["vault"])
    }

    @Test("a vault that a test wrote with a cheap derivation does not open with the real one")
    func cheapIsNotReal() async throws {
        try await makeVault()
        #expect(throws: SecureStorageError.wrongPassphrase) {
            try VaultFile.openReadOnly(at: path, passphrase: secret("correct horse"), freshness: .unchecked)
        }
    }

    @Test("creating a vault does not replace an existing file")
    func createRefuses() async throws {
        try await makeVault()
        let before = try bytes(of: path)
        #expect(throws: SecureStorageError.alreadyExists) { try VaultFile.createCheaply(at: path) }
        #expect(throws: SecureStorageError.alreadyExists) {
            try VaultFile.seal(
                secret("x"), as: try name("a"), attributes: .critical(.other), at: path, passphrase: secret("p"),
                random: SystemRandom())
        }
        #expect(try bytes(of: path) == before)
    }

    @Test("a missing vault, a missing folder, and a path without a name are refused")
    func missing() throws {
        for path in [path, folder("no/vault")] {
            #expect(throws: SecureStorageError.notFound) { try VaultFile.openCheaply(at: path) }
            #expect(throws: SecureStorageError.notFound) { try VaultFile.readCheaply(at: path) }
        }
        for path in ["", "/", "a/", "a/..", "a\0b"] {
            #expect(throws: SecureStorageError.outsideLimits(.name)) { try VaultFile.openCheaply(at: path) }
        }
        #expect(folder.contents.isEmpty)
    }

    // MARK: Several items

    private func unsaved(
        _ text: String, _ account: String, _ attributes: ItemAttributes = .critical(.other)
    ) throws -> UnsavedItem { UnsavedItem(secret(text), as: try name(account), attributes: attributes) }

    @Test("several items are removed and stored in one write, and exist after opening again")
    func saveAll() async throws {
        try await makeVault()
        let vault = try VaultFile.openCheaply(at: path)
        let before = try await vault.generation
        try await vault.saveAll(
            [unsaved("1", "a"), unsaved("2", "b", .sensitive(.other)), unsaved("3", "a"), unsaved("4", "again")],
            deleting: [try name("share"), try name("absent"), try name("again")])
        #expect(try await vault.generation == before + 1)
        await vault.close()
        let again = try VaultFile.openCheaply(at: path)
        #expect(try await again.names(in: nil) == [name("a"), name("again"), name("b")])
        #expect(text(try await again.load(try name("a"))) == "3")
        #expect(text(try await again.load(try name("b"))) == "2")
        #expect(try await again.attributes(of: try name("b")) == .sensitive(.other))
        await again.close()
    }

    @Test("without a change nothing is written")
    func saveNone() async throws {
        try await makeVault()
        let vault = try VaultFile.openCheaply(at: path)
        let before = try bytes(of: path)
        try await vault.saveAll([], deleting: [try name("absent")])
        #expect(try bytes(of: path) == before)
        await vault.close()
        await #expect(throws: SecureStorageError.closed) { try await vault.saveAll([]) }
    }

    @Test("if one of several items cannot be stored, none is, and none is removed")
    func saveAllOrNone() async throws {
        try await makeVault()
        let vault = try VaultFile.openCheaply(at: path)
        let before = try bytes(of: path)
        let unhonoured = try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: .whenUnlocked)
        let large = String(repeating: "x", count: Limits.itemSize + 1)
        for (bad, error) in [
            (try unsaved("2", "b", unhonoured), .notHonoured(.whenUnlocked)),
            (try unsaved("", "b"), .outsideLimits(.itemSize)), (try unsaved(large, "b"), .outsideLimits(.itemSize)),
        ] as [(UnsavedItem, SecureStorageError)] {
            await #expect(throws: error) {
                try await vault.saveAll([unsaved("1", "a"), bad], deleting: [name("share")])
            }
            #expect(try bytes(of: path) == before)
            #expect(try await vault.names(in: nil) == [name("share")])
        }
        let many = try (0...Limits.itemCount).map { try unsaved("\($0)", "item-\($0)") }
        await #expect(throws: SecureStorageError.outsideLimits(.itemCount)) { try await vault.saveAll(many) }
        #expect(try bytes(of: path) == before)
        let reader = try VaultFile.readCheaply(at: path)
        await #expect(throws: SecureStorageError.notWritable) { try await reader.saveAll([unsaved("1", "a")]) }
    }

    // MARK: Lock

    @Test("a vault open for writing is locked for others, and the error names the process")
    func locked() async throws {
        let vault = try VaultFile.createCheaply(at: path)
        let mine = ProcessInfo.processInfo.processIdentifier
        #expect(throws: SecureStorageError.lockedByAnother(processID: mine)) { try VaultFile.openCheaply(at: path) }
        #expect(throws: FileError.lockedByAnother(processID: mine)) {
            try AtomicFile.write([1], to: path, replacing: .allowed)
        }
        _ = try VaultFile.readCheaply(at: path)
        await vault.close()
        _ = try VaultFile.openCheaply(at: path)
    }

    @Test("a lock goes with its vault, and leaves no file")
    func lockGoes() async throws {
        do { _ = try VaultFile.createCheaply(at: path) }
        #expect(folder.contents == ["vault"])
        let vault = try VaultFile.openCheaply(at: path)
        #expect(folder.contents == ["vault", "vault.lock"])
        await vault.close()
        #expect(folder.contents == ["vault"])
    }

    @Test("a lock file left by a crash does not lock, and its contents are not trusted")
    func staleLock() async throws {
        try await makeVault()
        _ = FileManager.default.createFile(atPath: folder("vault.lock"), contents: Data("999999 junk".utf8))
        let vault = try VaultFile.openCheaply(at: path)
        #expect(
            try String(contentsOfFile: folder("vault.lock"), encoding: .utf8)
                == "\(ProcessInfo.processInfo.processIdentifier)\n")
        await vault.close()
    }

    @Test("of many concurrent openers, one at a time gets the vault")
    func lockRace() async throws {
        try await makeVault()
        let path = path
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var done = 0
                    while done < 25 {
                        do {
                            let vault = try VaultFile.openCheaply(at: path)
                            let old = Int(text(try await vault.load(try name("counter"))) ?? "0") ?? 0
                            try await vault.save(
                                secret("\(old + 1)"), as: try name("counter"), attributes: .critical(.other))
                            await vault.close()
                            done += 1
                        } catch SecureStorageError.lockedByAnother {
                            await Task.yield()
                        }
                    }
                    return done
                }
            }
            for try await done in group { #expect(done == 25) }
        }
        let vault = try VaultFile.readCheaply(at: path)
        #expect(text(try await vault.load(try name("counter"))) == "100")
        #expect(folder.contents == ["vault"])
    }

    // MARK: Rollback

    @Test("a vault older than the generation asked for is refused")
    func rolledBack() async throws {
        try await makeVault()
        let old = try bytes(of: path)
        let vault = try VaultFile.openCheaply(at: path)
        try await vault.save(secret("newer"), as: try name("share"), attributes: .critical(.keyShare))
        let seen = try await vault.generation
        await vault.close()
        try overwrite(path, with: old)
        #expect(throws: SecureStorageError.rolledBack(found: 2, expected: 3)) {
            try VaultFile.openCheaply(at: path, freshness: .atLeast(seen))
        }
        #expect(throws: SecureStorageError.rolledBack(found: 2, expected: 3)) {
            try VaultFile.readCheaply(at: path, freshness: .atLeast(seen))
        }
        _ = try VaultFile.readCheaply(at: path, freshness: .unchecked)
    }

    @Test("a witness in another folder detects an old copy, and a witness of another vault is ignored")
    func witnessed() async throws {
        let state = try SharedFolder()
        let freshness = Freshness.guarded(by: GenerationFolder(at: state.path))
        try await makeVault(freshness: freshness)
        let old = try bytes(of: path)
        let vault = try VaultFile.openCheaply(at: path, freshness: freshness)
        try await vault.delete(try name("share"))
        await vault.close()
        try overwrite(path, with: old)
        #expect(throws: SecureStorageError.rolledBack(found: 2, expected: 3)) {
            try VaultFile.openCheaply(at: path, freshness: freshness)
        }
        let other = try VaultFile.createCheaply(at: folder("other"), freshness: freshness)
        #expect(try await other.generation == 1)
        #expect(state.contents.count == 2)
    }

    @Test("an unreadable witness is an error, and does not count as absent")
    func witnessDamaged() async throws {
        let state = try SharedFolder()
        let freshness = Freshness.guarded(by: GenerationFolder(at: state.path))
        try await makeVault(freshness: freshness)
        try overwrite(state(state.contents[0]), with: [1, 2, 3])
        #expect(throws: SecureStorageError.damaged) { try VaultFile.openCheaply(at: path, freshness: freshness) }
        #expect(throws: SecureStorageError.notFound) {
            try VaultFile.openCheaply(at: path, freshness: .guarded(by: GenerationFolder(at: folder("gone"))))
        }
    }

    // MARK: Permissions

    @Test("a new vault is readable by its owner only, whatever the mask")
    func mode() async throws {
        try await makeVault()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "a vault that others can read or write, or a symbolic link, is refused for writing",
        arguments: [0o640, 0o604, 0o620])
    func insecure(_ mode: Int) async throws {
        try await makeVault()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(throws: SecureStorageError.insecureFile) { try VaultFile.openCheaply(at: path) }
        _ = try VaultFile.readCheaply(at: path)
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: path)
        #expect(throws: SecureStorageError.insecureFile) { try VaultFile.openCheaply(at: folder("link")) }
        #expect(throws: SecureStorageError.insecureFile) { try VaultFile.readCheaply(at: folder("link")) }
    }

    @Test("a folder or a pipe in place of a vault is refused, without waiting")
    func notAFile() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: SecureStorageError.insecureFile) { try VaultFile.readCheaply(at: path) }
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(throws: SecureStorageError.insecureFile) { try VaultFile.openCheaply(at: folder("pipe")) }
    }

    @Test("a temporary file that a crash left behind is removed at the next opening")
    func temporary() async throws {
        try await makeVault()
        _ = FileManager.default.createFile(atPath: folder(".vault.tmp"), contents: Data("half".utf8))
        let vault = try VaultFile.openCheaply(at: path)
        #expect(folder.contents == ["vault", "vault.lock"])
        await vault.close()
    }

    // MARK: Read only

    @Test("a sealed file is a single file, and reading it leaves no trace")
    func sealed() async throws {
        try VaultFile.seal(
            secret("the share"), as: try name("share"), attributes: .critical(.keyShare), at: path,
            passphrase: secret("correct horse"), random: SystemRandom())
        #expect(folder.contents == ["vault"])
        let before = try bytes(of: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let vault = try VaultFile.openReadOnly(
            at: path, passphrase: secret("correct horse"), freshness: .unchecked)
        #expect(text(try await vault.load(try name("share"))) == "the share")
        #expect(folder.contents == ["vault"])
        #expect(try bytes(of: path) == before)
        await #expect(throws: SecureStorageError.notWritable) {
            try await vault.save(secret("x"), as: try name("share"), attributes: .critical(.keyShare))
        }
        await #expect(throws: SecureStorageError.notWritable) { try await vault.delete(try name("share")) }
        await #expect(throws: SecureStorageError.notWritable) { try await vault.changePassphrase(to: secret("new")) }
        #expect(text(try await vault.load(try name("share"))) == "the share")
    }

    @Test("a closed vault does nothing more")
    func closed() async throws {
        let vault = try VaultFile.createCheaply(at: path)
        await vault.close()
        await vault.close()
        await #expect(throws: SecureStorageError.closed) { try await vault.names(in: nil) }
        await #expect(throws: SecureStorageError.closed) { _ = text(try await vault.load(try name("a"))) }
        await #expect(throws: SecureStorageError.closed) {
            try await vault.save(secret("x"), as: try name("a"), attributes: .critical(.other))
        }
        await #expect(throws: SecureStorageError.closed) { try await vault.addPassphrase(secret("x")) }
    }

    // MARK: Passphrases

    @Test("changing the passphrase wraps the master key again and leaves the items unchanged")
    func changePassphrase() async throws {
        try await makeVault()
        let before = try VaultImage(decoding: try bytes(of: path))
        let vault = try VaultFile.openCheaply(at: path)
        try await vault.changePassphrase(to: secret("battery staple"))
        await vault.close()
        let after = try VaultImage(decoding: try bytes(of: path))
        #expect(after.items == before.items)
        #expect(after.slots.map(\.number) == [1])
        #expect(after.slots[0].salt != before.slots[0].salt)
        #expect(after.generation == before.generation + 1)
        #expect(throws: SecureStorageError.wrongPassphrase) { try VaultFile.openCheaply(at: path) }
        let again = try VaultFile.openCheaply(at: path, passphrase: "battery staple")
        #expect(text(try await again.load(try name("share"))) == "the share")
    }

    @Test("each of several passphrases opens the vault until it is removed; the last one stays")
    func severalPassphrases() async throws {
        try await makeVault()
        let vault = try VaultFile.openCheaply(at: path)
        for number in 2...8 { #expect(try await vault.addPassphrase(secret("passphrase \(number)")) == UInt8(number)) }
        await #expect(throws: SecureStorageError.outsideLimits(.slotCount)) {
            try await vault.addPassphrase(secret("one too many"))
        }
        try await vault.removePassphrase(inSlot: 1)
        await #expect(throws: SecureStorageError.slotNotRemovable) { try await vault.removePassphrase(inSlot: 1) }
        // The slot that opened the vault is gone, with its passphrase: it cannot be changed.
        #expect(try await vault.addPassphrase(secret("ninth")) == 1)
        await #expect(throws: SecureStorageError.slotNotRemovable) { try await vault.changePassphrase(to: secret("x")) }
        await vault.close()
        #expect(throws: SecureStorageError.wrongPassphrase) { try VaultFile.openCheaply(at: path) }

        let again = try VaultFile.openCheaply(at: path, passphrase: "passphrase 5")
        #expect(text(try await again.load(try name("share"))) == "the share")
        for number in try await again.slots where number != 5 { try await again.removePassphrase(inSlot: number) }
        await #expect(throws: SecureStorageError.slotNotRemovable) { try await again.removePassphrase(inSlot: 5) }
        try await again.changePassphrase(to: secret("last"))
        await again.close()
        _ = try VaultFile.openCheaply(at: path, passphrase: "last")
    }

    @Test("a PBKDF2 slot of older software opens, and becomes Argon2id when the vault is opened for writing")
    func legacy() async throws {
        let random = SeededRandom(seed: 5)
        let vault = try Vault(passphrase: secret("correct horse"), stretching: .pbkdf2(rounds: 100_000), random: random)
        let state = try vault.saving(secret("old"), as: try name("a"), attributes: .critical(.other), random: random)
        try AtomicFile.write(try vault.encoded(state, random: random), to: path, replacing: .refused)

        let read = try VaultFile.openReadOnly(at: path, passphrase: secret("correct horse"), freshness: .unchecked)
        #expect(text(try await read.load(try name("a"))) == "old")
        #expect(try VaultImage(decoding: try bytes(of: path)).slots[0].stretching == .pbkdf2(rounds: 100_000))

        let opened = try VaultFile.open(
            at: path, passphrase: secret("correct horse"), freshness: .unchecked, random: random)
        #expect(text(try await opened.load(try name("a"))) == "old")
        await opened.close()
        #expect(try VaultImage(decoding: try bytes(of: path)).slots.map(\.stretching) == [.standard])
        _ = try VaultFile.openReadOnly(at: path, passphrase: secret("correct horse"), freshness: .atLeast(2))
    }

    /// Writes a vault of versions before 3 whose passphrase has these bytes.
    private func makeOld(_ passphrase: borrowing SecretBytes) throws {
        let random = SeededRandom(seed: 6)
        let vault = try Vault(
            passphrase: passphrase, form: .given, device: nil, anchor: nil, stretching: .standard,
            by: .cheapForTesting, random: random)
        let state = try vault.saving(secret("old"), as: try name("a"), attributes: .critical(.other), random: random)
        try AtomicFile.write(try vault.encoded(state, random: random), to: path, replacing: .refused)
    }

    private static let composed = "zw\u{f6}lf W\u{f6}rter"
    private static let decomposed = "zwo\u{308}lf Wo\u{308}rter"

    @Test("an old vault opens with the bytes that made it, and with text whose normal form has those bytes")
    func oldForms() async throws {
        try makeOld(secret(Self.decomposed))
        let old = try bytes(of: path)
        #expect(old[9] == 1)
        for passphrase in [Self.decomposed, Self.composed] {
            await (try VaultFile.readCheaply(at: path, passphrase: passphrase)).close()
        }
        #expect(try bytes(of: path) == old, "reading changes nothing")
    }

    @Test("an old vault is written again at its next use, if other bytes of the same text would not open it")
    func oldIsRewritten() async throws {
        try makeOld(secret(Self.composed))
        // The composed form cannot be computed from the other one, so only the bytes that made it open it.
        #expect(throws: SecureStorageError.wrongPassphrase) {
            try VaultFile.readCheaply(at: path, passphrase: Self.decomposed)
        }
        await (try VaultFile.openCheaply(at: path, passphrase: Self.composed)).close()
        #expect(try bytes(of: path)[9] == 3)
        for passphrase in [Self.decomposed, Self.composed] {
            let vault = try VaultFile.openCheaply(at: path, passphrase: passphrase)
            #expect(text(try await vault.load(try name("a"))) == "old")
            await vault.close()
        }
    }

    @Test("an old vault whose passphrase has one form only stays as it is")
    func oldStays() async throws {
        try makeOld(secret("correct horse"))
        let old = try bytes(of: path)
        await (try VaultFile.openCheaply(at: path, passphrase: "correct horse")).close()
        #expect(try bytes(of: path) == old)
    }

    @Test("a passphrase that is no text opens with its bytes, in every version")
    func noText() async throws {
        func noText() -> SecretBytes { SecretBytes(count: 3) { $0.copyBytes(from: [0xFF, 0x61, 0xFE]) } }
        try makeOld(noText())
        await
            (try VaultFile.open(
                at: path, passphrase: noText(), freshness: .unchecked, random: SystemRandom(),
                stretcher: .cheapForTesting)).close()
        #expect(try bytes(of: path)[9] == 1)
        let vault = try VaultFile.create(
            at: path + "2", passphrase: noText(), freshness: .unchecked, random: SystemRandom(),
            stretcher: .cheapForTesting)
        await vault.close()
        await
            (try VaultFile.openReadOnly(
                at: path + "2", passphrase: noText(), freshness: .unchecked, stretcher: .cheapForTesting)).close()
    }
}
