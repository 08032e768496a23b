internal import Crypto
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite struct SoftwareKeysTests {
    private let store = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases))
    private let keys: SoftwareKeys
    private let name: KeyName
    private let unsupported = SecureStorageError.backend(.software, .unsupported)

    init() throws {
        keys = SoftwareKeys(in: store, random: SystemRandom())
        name = try KeyName("a")
    }

    @Test func `A software key says that it is one`() async throws {
        #expect(keys.backend == .software)
        #expect(try await keys.generate(name, protection: .none, authorization: .none).backend == .software)
        #expect(await keys.unavailability() == nil)
    }

    @Test func `A key signs, and its public key verifies the signature`() async throws {
        let key = try await keys.generate(name, protection: .none, authorization: .none)
        #expect(try await keys.publicKey(of: name) == key)
        let signature = try await keys.sign([1, 2], with: name, authorization: .none)
        #expect(signature.count == 64)
        let verifier = try P256.Signing.PublicKey(x963Representation: key.x963)
        #expect(
            verifier.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: [1, 2] as [UInt8]))
    }

    @Test func `A PIN, a prompt and a statement are unsupported, since nothing counts wrong attempts`() async throws {
        for protection in [.pin, .access(.userPresence)] as [KeyProtection] {
            await #expect(throws: unsupported) {
                _ = try await keys.generate(name, protection: protection, authorization: .none)
            }
        }
        await #expect(throws: unsupported) {
            _ = try await keys.generate(name, protection: .none, authorization: .pin(SecretBytes(count: 4) { _ in }))
        }
        _ = try await keys.generate(name, protection: .none, authorization: .none)
        await #expect(throws: unsupported) {
            _ = try await keys.sign([1], with: name, authorization: .prompt(reason: "x"))
        }
        await #expect(throws: unsupported) {
            _ = try await keys.attest(name, challenge: [UInt8](repeating: 1, count: 16))
        }
    }

    @Test func `Names are listed, taken, and free after deletion`() async throws {
        for name in ["b", "a"] {
            _ = try await keys.generate(try KeyName(name), protection: .none, authorization: .none)
        }
        #expect(try await keys.names().map(\.description) == ["a", "b"])
        await #expect(throws: SecureStorageError.alreadyExists) {
            _ = try await keys.generate(name, protection: .none, authorization: .none)
        }
        #expect(try await keys.delete(name))
        #expect(try await !keys.delete(name))
        #expect(try await keys.publicKey(of: name) == nil)
        await #expect(throws: SecureStorageError.notFound) {
            _ = try await keys.sign([1], with: name, authorization: .none)
        }
    }

    private struct Stuck: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: 0xff) }
    }

    @Test func `A random source that has failed ends in an error and not in a loop`() async throws {
        await #expect(throws: SecureStorageError.backend(.software, .malformedAnswer)) {
            _ = try await SoftwareKeys(in: store, random: Stuck())
                .generate(name, protection: .none, authorization: .none)
        }
    }

    @Test func `Another item in the key's place is not used`() async throws {
        let item = try ItemName(service: "fueki.software-key", account: "a")
        for (size, kind) in [(32, ItemKind.seed), (31, .credential)] {
            try await store.save(SecretBytes(count: size, from: SystemRandom()), as: item, attributes: .critical(kind))
            await #expect(throws: SecureStorageError.wrongKind) {
                _ = try await keys.sign([1], with: name, authorization: .none)
            }
        }
    }
}
