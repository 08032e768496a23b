internal import Files
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// Testing has a type of the same name.
private typealias Expectation = SecretStoreTestSupport.Expectation

@Suite("Vault files and the store in memory in the suite of all stores")
struct StoreSuiteTests {
    @Test("a working vault stores, replaces, lists and deletes items, with a chip and without one")
    func working() async throws {
        try await StoreSuite.checkWorking(VaultRig(withChip: false))
        try await StoreSuite.checkWorking(VaultRig(withChip: true))
        try await StoreSuite.checkWorking(MemoryRig())
    }

    @Test("concurrent saves, loads and deletes leave each item as one of them wrote it")
    func concurrent() async throws {
        try await StoreSuite.checkConcurrent(VaultRig(withChip: false))
        try await StoreSuite.checkConcurrent(VaultRig(withChip: true))
        try await StoreSuite.checkConcurrent(MemoryRig())
    }

    private static let ofFiles: Set<FailureState> = [
        .damaged, .foreignItem, .olderCopy, .wrongSecret, .closed, .readOnly, .lockedByAnother, .malformedAnswer, .full,
        .noPermission,
    ]
    private static let ofChips: Set<FailureState> = [
        .libraryMissing, .deviceMissing, .neverAnswers, .lockedOut, .bindingChanged, .deviceCleared, .locked,
    ]

    @Test("each failure state gives its error, and no item is lost", arguments: FailureState.allCases)
    func fails(_ state: FailureState) async throws {
        #expect(try await StoreSuite.check(state, on: VaultRig(withChip: false)) == Self.ofFiles.contains(state))
        #expect(
            try await StoreSuite.check(state, on: VaultRig(withChip: true))
                == Self.ofFiles.union(Self.ofChips).contains(state))
    }

    @Test("nothing stays from one run to the next")
    func noStaleState() async throws {
        for _ in 0..<2 {
            let store = MemoryRig().open()
            #expect(try await store.names(in: nil).isEmpty)
        }
        let folders = try (0..<2).map { _ in try VaultRig(withChip: false) }
        for rig in folders {
            let store = try rig.open()
            #expect(try await store.names(in: nil).isEmpty)
            try await store.save(secret("a"), as: try name("a"), attributes: .sensitive(.other))
            await store.close()
        }
    }
}

/// A vault file, alone or with a chip that counts wrong passphrases.
private final class VaultRig: StoreRig {
    private let folder: SharedFolder
    private let chip: ChipDouble?
    private let passphrase = Mutex("right")
    private let saved = Mutex<[UInt8]>([])
    private let isReadOnly = Mutex(false)
    private let other = Mutex<FileLock?>(nil)

    init(withChip: Bool) throws {
        folder = try SharedFolder()
        chip = withChip ? ChipDouble(attempts: 2) : nil
        try FolderCreation.make(folder("seen"))
    }

    private var path: String { folder("vault") }
    private var freshness: Freshness { .guarded(by: GenerationFolder(at: folder("seen"))) }

    func open() throws(SecureStorageError) -> any SecretStore {
        let passphrase = secret(passphrase.withLock { $0 })
        if isReadOnly.withLock({ $0 }) {
            return try VaultFile.openReadOnly(
                at: path, passphrase: passphrase, device: chip, freshness: freshness, stretcher: .cheapForTesting)
        }
        guard FolderCreation.isOccupied(path) else {
            return try VaultFile.create(
                at: path, passphrase: passphrase, device: chip, freshness: freshness, random: SystemRandom(),
                stretcher: .cheapForTesting)
        }
        return try VaultFile.open(
            at: path, passphrase: passphrase, device: chip, freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
    }

    private static func opening(_ errors: SecureStorageError...) -> Expectation {
        Expectation(loading: errors, saving: errors, opens: false)
    }

    /// Replaces the file while it is closed, and keeps the right bytes.
    private func replace(with bytes: [UInt8]) throws {
        saved.withLock { $0 = (try? TestSupport.bytes(of: path)) ?? [] }
        try overwrite(path, with: bytes)
    }

    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
        switch state {
        case .damaged:
            await store.close()
            var bytes = try bytes(of: path)
            bytes[bytes.count / 2] ^= 1
            try replace(with: bytes)
            return Self.opening(.damaged)
        case .foreignItem:
            await store.close()
            try replace(with: Array("another program's file".utf8))
            return Self.opening(.notAVault)
        case .malformedAnswer:
            await store.close()
            try replace(with: Array(try bytes(of: path).dropLast(40)))
            return Self.opening(.truncated)
        case .olderCopy:
            let old = try bytes(of: path)
            try await store.save(
                secret("kept"), as: try name("kept", in: "suite"), attributes: .sensitive(.accessToken))
            await store.close()
            try replace(with: old)
            return Self.opening(.rolledBack(found: 2, expected: 3))
        case .wrongSecret:
            await store.close()
            passphrase.withLock { $0 = "wrong" }
            return Self.opening(
                chip == nil ? .wrongPassphrase : .backend(.tpm, .authenticationFailed(attemptsLeft: 1)))
        case .closed:
            await store.close()
            return Expectation(loading: [.closed], saving: [.closed])
        case .readOnly:
            await store.close()
            isReadOnly.withLock { $0 = true }
            let reader = try open()
            await #expect(throws: SecureStorageError.notWritable) {
                try await reader.save(secret("x"), as: try name("x"), attributes: .sensitive(.other))
            }
            #expect(text(try await reader.load(try name("kept", in: "suite"))) == "kept")
            await reader.close()
            return Expectation(loading: [.closed], saving: [.closed])
        case .lockedByAnother:
            await store.close()
            let lock = try FileLock(on: path)
            other.withLock { $0 = lock }
            return Self.opening(.lockedByAnother(processID: getpid()))
        case .full:
            // A folder in place of the temporary file: the write fails as on a full disk, after the open.
            try FileManager.default.createDirectory(atPath: folder(".vault.tmp"), withIntermediateDirectories: false)
            return Expectation(loading: [], saving: [.inputOutput(.write, code: EEXIST)])
        case .noPermission:
            await store.close()
            chmod(path, 0o644)
            return Self.opening(.insecureFile)
        case .libraryMissing: return await enter(.unavailable(.library("libtss2-esys.so.0")), store)
        case .deviceMissing: return await enter(.unavailable(.noDevice), store)
        case .neverAnswers: return await enter(.timedOut, store)
        case .locked: return await enter(.locked, store)
        case .lockedOut:
            guard let chip else { return nil }
            await store.close()
            passphrase.withLock { $0 = "wrong" }
            for _ in 0..<2 { _ = try? open() }
            passphrase.withLock { $0 = "right" }
            _ = chip
            return Self.opening(.backend(.tpm, .lockedOut(seconds: nil)))
        case .bindingChanged:
            guard let chip else { return nil }
            await store.close()
            chip.changePlatform()
            return Self.opening(.backend(.tpm, .bindingChanged(.platformState)))
        case .deviceCleared:
            guard let chip else { return nil }
            await store.close()
            chip.clear()
            // The file is useless without the chip's secret: that is what it promises.
            return Expectation(
                loading: [.backend(.tpm, .bindingChanged(.device))], saving: [], opens: false, keepsItems: false)
        case .serviceMissing, .diesDuringCall, .promptCancelled, .promptNeverAnswered, .interactionNotAllowed,
            .ambiguous:
            return nil
        }
    }

    private func enter(_ fault: BackendFault, _ store: any SecretStore) async -> Expectation? {
        guard let chip else { return nil }
        await store.close()
        chip.fail(with: fault)
        return Self.opening(.backend(.tpm, fault))
    }

    func leave(_ state: FailureState) async throws {
        switch state {
        case .damaged, .foreignItem, .malformedAnswer, .olderCopy: try overwrite(path, with: saved.withLock { $0 })
        case .wrongSecret: passphrase.withLock { $0 = "right" }
        case .readOnly: isReadOnly.withLock { $0 = false }
        case .lockedByAnother: other.withLock { $0 = nil }
        case .full: rmdir(folder(".vault.tmp"))
        case .noPermission: chmod(path, 0o600)
        default: break
        }
        chip?.fail(with: nil)
        chip?.restorePlatform()
        chip?.resetLockout()
    }
}

/// The store in memory: "opening again" is the same store.
private final class MemoryRig: StoreRig {
    private let store = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases))

    func open() -> any SecretStore { store }
    func enter(_ state: FailureState, with store: any SecretStore) -> Expectation? { nil }
    func leave(_ state: FailureState) {}
}
