#if canImport(Glibc)
    internal import Foundation
    internal import SecretStoreTestSupport
    internal import SecureStorage
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import TPM

    /// Testing has a type of the same name.
    private typealias Expectation = SecretStoreTestSupport.Expectation

    @Suite(
        "A vault in a real TPM's keeping, in the suite of all stores",
        .enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct VaultSuiteTests {
        @Test("a working vault stores, replaces, lists and deletes items")
        func working() async throws { try await StoreSuite.checkWorking(VaultRig()) }

        @Test("concurrent saves, loads and deletes leave each item as one of them wrote it")
        func concurrent() async throws { try await StoreSuite.checkConcurrent(VaultRig()) }

        private static let possible: [FailureState] = [
            .deviceMissing, .wrongSecret, .lockedOut, .bindingChanged, .deviceCleared, .olderCopy, .noPermission,
        ]

        @Test("each failure state gives its error, and no item is lost", arguments: possible)
        func fails(_ state: FailureState) async throws {
            #expect(try await StoreSuite.check(state, on: VaultRig()))
        }
    }

    /// A vault with a PIN in the TPM, bound to register 7, and counted by the TPM.
    private final class VaultRig: StoreRig {
        private let rig: Rig
        private let folder: String
        private nonisolated(unsafe) var pin = "1234"
        private nonisolated(unsafe) var saved: [UInt8] = []
        private nonisolated(unsafe) var isOff = false

        init() throws {
            rig = try Rig()
            folder = "\(NSTemporaryDirectory())/fueki-vault-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            chmod(folder, 0o700)
            try rig.chip.tool(
                "dictionarylockout", "-s", "-n", "\(Self.tries)", "-t", "86400", "-l", "86400", "-p",
                SwTPM.lockoutPassword)
        }

        private static let tries = 3

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        private var path: String { "\(folder)/vault" }

        private func secret(_ text: String) -> SecretBytes {
            var bytes = [UInt8](text.utf8)
            return SecretBytes(moving: &bytes)
        }

        func open() throws(SecureStorageError) -> any SecretStore {
            let address = isOff ? try TPMAddress("swtpm:path=\(folder)/nothing") : rig.device.address
            let device = TPMDevice(at: address, limit: .seconds(Patience.seconds))
            let sealer = TPMSealer(with: device, boundTo: try PCRSelection([7]))
            let freshness = Freshness.guarded(by: TPMCounter(in: device))
            if FileManager.default.fileExists(atPath: path) {
                return try VaultFile.open(
                    at: path, passphrase: secret(pin), device: sealer, freshness: freshness, random: SystemRandom())
            }
            return try VaultFile.create(
                at: path, passphrase: secret(pin), device: sealer, freshness: freshness, random: SystemRandom())
        }

        private func opening(_ fault: BackendFault..., keepsItems: Bool = true) -> Expectation {
            let errors = fault.map { SecureStorageError.backend(.tpm, $0) }
            return Expectation(loading: errors, saving: errors, opens: false, keepsItems: keepsItems)
        }

        private func generation(of store: any SecretStore) async throws -> UInt64 {
            try await (store as? VaultFile)?.generation ?? 0
        }

        func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
            switch state {
            case .deviceMissing:
                await store.close()
                isOff = true
                return opening(.unavailable(.noDevice))
            case .wrongSecret:
                await store.close()
                pin = "4321"
                return opening(.authenticationFailed(attemptsLeft: Self.tries - 1))
            case .lockedOut:
                await store.close()
                pin = "4321"
                for _ in 0..<Self.tries { _ = refusal { () throws(SecureStorageError) in try open() } }
                pin = "1234"
                let error = refusal { () throws(SecureStorageError) in try open() }
                guard case .backend(.tpm, .lockedOut(let seconds)) = error else {
                    Issue.record("not locked out: \(String(describing: error))")
                    return nil
                }
                return opening(.lockedOut(seconds: seconds))
            case .bindingChanged:
                await store.close()
                try rig.extend(7)
                return opening(.bindingChanged(.platformState))
            case .deviceCleared:
                await store.close()
                try rig.chip.tool("clear", "-c", "platform")
                try rig.chip.protectLockout()
                return opening(.bindingChanged(.device), keepsItems: false)
            case .olderCopy:
                let old = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let found = try await generation(of: store)
                try await store.save(
                    secret("kept"), as: try ItemName(service: "suite", account: "kept"),
                    attributes: .sensitive(.accessToken))
                await store.close()
                saved = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                try Data(old).write(to: URL(fileURLWithPath: path))
                chmod(path, 0o600)
                let error = SecureStorageError.rolledBack(found: found, expected: found + 1)
                return Expectation(loading: [error], saving: [error], opens: false)
            case .noPermission:
                await store.close()
                chmod(path, 0o644)
                return Expectation(loading: [.insecureFile], saving: [], opens: false)
            default: return nil
            }
        }

        func leave(_ state: FailureState) async throws {
            isOff = false
            pin = "1234"
            switch state {
            case .lockedOut: try rig.chip.tool("dictionarylockout", "-c", "-p", SwTPM.lockoutPassword)
            case .bindingChanged: try await rig.chip.cutPowerAndSwitchOn()
            case .olderCopy:
                try Data(saved).write(to: URL(fileURLWithPath: path))
                chmod(path, 0o600)
            case .noPermission: chmod(path, 0o600)
            default: break
            }
        }
    }
#endif
