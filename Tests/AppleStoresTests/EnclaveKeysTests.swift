internal import Crypto
internal import Dispatch
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AppleStores

@Suite("Signing keys in the Secure Enclave")
struct EnclaveKeysTests {
    private let folder: SharedFolder
    private let chip: FakeEnclave
    private let keys: EnclaveKeys
    private let name: KeyName

    init() throws {
        folder = try SharedFolder()
        chip = try FakeEnclave()
        keys = Self.keys(chip, folder)
        name = try KeyName("device")
    }

    private static func keys(_ chip: FakeEnclave, _ folder: SharedFolder) -> EnclaveKeys {
        EnclaveKeys(
            over: chip, in: folder("keys"), accessibility: .whenUnlockedThisDeviceOnly, limit: .seconds(600),
            promptLimit: .seconds(600))
    }

    private func fault(_ fault: BackendFault) -> SecureStorageError { .backend(.secureEnclave, fault) }

    private var file: String { folder("keys/device.enclave-key") }

    @Test(
        "a key signs, verifies by its public key, and is found after a restart",
        arguments: [
            KeyProtection.none, .access(.userPresence), .access(.biometryCurrentSet),
            .access(.custom([.biometryAny, .or, .devicePasscode])),
        ])
    func signs(protection: KeyProtection) async throws {
        let made = try await keys.generate(name, protection: protection, authorization: .none)
        #expect(made.backend == .secureEnclave && made.protection == protection)
        let again = Self.keys(chip, folder)
        #expect(try await again.publicKey(of: name) == made)
        let signature = try await again.sign([1, 2, 3], with: name, authorization: .prompt(reason: "Sign in"))
        let key = try P256.Signing.PublicKey(x963Representation: made.x963)
        #expect(key.isValidSignature(try .init(rawRepresentation: signature), for: Data([1, 2, 3])))
        #expect(chip.state.withLock { $0.prompts } == (protection == .none ? [] : ["Sign in"]))
    }

    @Test("a key that needs the user does not sign without a prompt")
    func needsPrompt() async throws {
        _ = try await keys.generate(name, protection: .access(.biometryAny), authorization: .none)
        await #expect(throws: fault(.interactionNotAllowed)) {
            try await keys.sign([1], with: name, authorization: .none)
        }
    }

    @Test("a taken name is refused, and its key is unharmed")
    func taken() async throws {
        let made = try await keys.generate(name, protection: .none, authorization: .none)
        await #expect(throws: SecureStorageError.alreadyExists) {
            try await keys.generate(name, protection: .none, authorization: .none)
        }
        #expect(try await keys.publicKey(of: name) == made)
    }

    @Test("the folder of the keys replaces no file, although another process made it between the check and the writing")
    func folderReplacesNothing() throws {
        let (files, access) = (
            EnclaveKeyFolder(at: folder("keys")), try EnclaveAccess(.none, .whenUnlockedThisDeviceOnly)
        )
        let first = EnclaveKeyFile(key: try chip.generate(access), access: access)
        try files.add(first, as: name)
        #expect(throws: SecureStorageError.alreadyExists) {
            try files.add(EnclaveKeyFile(key: try chip.generate(access), access: access), as: name)
        }
        #expect(try files.key(name) == first)
    }

    @Test("of several that make a key of one name at once, one succeeds")
    func concurrent() async throws {
        let (chip, folder, name) = (chip, folder, name)
        let made = await withTaskGroup(of: HardwarePublicKey?.self) { group in
            for _ in 0..<8 {
                let keys = Self.keys(chip, folder)
                group.addTask { try? await keys.generate(name, protection: .none, authorization: .none) }
            }
            return await group.reduce(into: [HardwarePublicKey]()) { made, key in if let key { made.append(key) } }
        }
        #expect(made.count == 1)
        #expect(try await keys.publicKey(of: name) == made.first)
    }

    @Test("a deleted key is gone, and deleting says whether there was one")
    func delete() async throws {
        #expect(try await keys.delete(name) == false)
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        #expect(try await keys.delete(name) == true)
        #expect(try await keys.publicKey(of: name) == nil)
        await #expect(throws: SecureStorageError.notFound) {
            try await keys.sign([1], with: name, authorization: .none)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("keys")) == [])
    }

    @Test("the file is for its owner only, and does not contain the private key")
    func file() async throws {
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        await #expect(throws: SecureStorageError.insecureFile) { try await keys.publicKey(of: name) }
    }

    @Test("PINs and statements are not supported, and nothing is made instead")
    func unsupported() async throws {
        await #expect(throws: fault(.unsupported)) {
            try await keys.generate(name, protection: .pin, authorization: .pin(secret("1234")))
        }
        await #expect(throws: fault(.unsupported)) {
            try await keys.generate(name, protection: .none, authorization: .pin(secret("1234")))
        }
        #expect(try await keys.publicKey(of: name) == nil)
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        await #expect(throws: fault(.unsupported)) {
            try await keys.sign([1], with: name, authorization: .pin(secret("1234")))
        }
        await #expect(throws: fault(.unsupported)) { try await keys.attest(name, challenge: [UInt8](0..<32)) }
    }

    @Test("a device without an Enclave says so, and makes no file")
    func absent() async throws {
        chip.change { $0.isPresent = false }
        #expect(await keys.unavailability() == .unavailable(.noDevice))
        await #expect(throws: fault(.unavailable(.noDevice))) {
            try await keys.generate(name, protection: .none, authorization: .none)
        }
        #expect(folder.contents == [])
    }

    @Test("the key file of another device does not sign here")
    func otherDevice() async throws {
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        let elsewhere = Self.keys(try FakeEnclave(), folder)
        await #expect(throws: fault(.bindingChanged(.device))) { try await elsewhere.publicKey(of: name) }
        await #expect(throws: fault(.bindingChanged(.device))) {
            try await elsewhere.sign([1], with: name, authorization: .none)
        }
    }

    @Test("a file with another public key is refused: its reader would trust a key that the chip does not have")
    func otherPublicKey() async throws {
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        let stored = try EnclaveKeyFile(decoding: bytes(of: file))
        let key = try EnclaveKey(
            blob: stored.key.blob, publicKey: [UInt8](P256.Signing.PrivateKey().publicKey.x963Representation))
        try overwrite(file, with: EnclaveKeyFile(key: key, access: stored.access).encoded)
        await #expect(throws: SecureStorageError.tampered(.header)) { try await keys.publicKey(of: name) }
        await #expect(throws: SecureStorageError.tampered(.header)) {
            try await keys.sign([1], with: name, authorization: .none)
        }
    }

    @Test("a signature that does not verify is not returned")
    func nonsense() async throws {
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        chip.change { $0.answersNonsense = true }
        await #expect(throws: fault(.malformedAnswer)) { try await keys.sign([1], with: name, authorization: .none) }
    }

    @Test("a locked device and changed faces have their own errors")
    func states() async throws {
        _ = try await keys.generate(name, protection: .access(.biometryCurrentSet), authorization: .none)
        chip.change { $0.isUnlocked = false }
        await #expect(throws: fault(.interactionNotAllowed)) {
            try await keys.sign([1], with: name, authorization: .prompt(reason: "Sign in"))
        }
        chip.change { ($0.isUnlocked, $0.biometry) = (true, 2) }
        await #expect(throws: fault(.bindingChanged(.biometry))) {
            try await keys.sign([1], with: name, authorization: .prompt(reason: "Sign in"))
        }
    }

    @Test("a chip that hangs ends at the limit of its kind of call")
    func hangs() async throws {
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        let hasty = EnclaveKeys(
            over: chip, in: folder("keys"), accessibility: .whenUnlockedThisDeviceOnly, limit: .milliseconds(20),
            promptLimit: .milliseconds(20))
        let release = DispatchSemaphore(value: 0)
        chip.change { $0.hang = { release.wait() } }
        await #expect(throws: fault(.timedOut)) { try await hasty.sign([1], with: name, authorization: .none) }
        await #expect(throws: fault(.timedOut)) {
            try await hasty.sign([1], with: name, authorization: .prompt(reason: "Sign in"))
        }
        for _ in 0..<2 { release.signal() }
    }

    @Test("a key file that is cut, changed or of a later version is refused")
    func decoding() async throws {
        _ = try await keys.generate(name, protection: .access(.devicePasscode), authorization: .none)
        let whole = try bytes(of: file)
        #expect(try EnclaveKeyFile(decoding: whole).encoded == whole)
        var (policy, flags, level, later, largeBlob) = (whole, whole, whole, whole, whole)
        policy[9] = 6
        flags[17] = 1
        level[18] = Accessibility.whenUnlocked.rawValue
        later[8] = 2
        largeBlob[84] = 0xff
        for bytes in [Array(whole.dropLast()), whole + [0], [], policy, flags, level, largeBlob] {
            #expect(throws: SecureStorageError.damaged) { try EnclaveKeyFile(decoding: bytes) }
        }
        #expect(throws: SecureStorageError.unsupportedVersion(2)) { try EnclaveKeyFile(decoding: later) }
    }
}
