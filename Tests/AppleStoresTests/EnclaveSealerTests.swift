internal import Crypto
internal import Dispatch
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import AppleStores

@Suite("A secret that is sealed by the Secure Enclave")
struct EnclaveSealerTests {
    private let chip: FakeEnclave
    private let sealer: EnclaveSealer

    init() throws {
        chip = try FakeEnclave()
        sealer = EnclaveSealer(over: chip, random: SystemRandom(), limit: .seconds(600))
    }

    private func key(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { $0.copyBytes(from: [UInt8](repeating: byte, count: 32)) }
    }

    private func fault(_ fault: BackendFault) -> SecureStorageError { .backend(.secureEnclave, fault) }

    private func opened(_ sealed: [UInt8], _ sealer: EnclaveSealer? = nil, pin: UInt8 = 9) throws -> [UInt8] {
        try (sealer ?? self.sealer).open(sealed, authorizedBy: key(pin)).withUnsafeBytes { [UInt8]($0) }
    }

    @Test("the same chip and authorization open it, and the sealed bytes are within the limit of a vault's slot")
    func roundTrip() throws {
        let sealed = try sealer.seal(key(1), authorizedBy: key(9))
        #expect(try opened(sealed) == [UInt8](repeating: 1, count: 32))
        #expect(sealed.count <= Limits.sealedByDevice)
        #expect(sealer.backend == .secureEnclave && sealer.unavailability() == nil)
    }

    @Test("each seal has keys of its own: no two have the same bytes")
    func fresh() throws {
        let first = try EnclaveSealedSecret(decoding: try sealer.seal(key(1), authorizedBy: key(9)))
        let second = try EnclaveSealedSecret(decoding: try sealer.seal(key(1), authorizedBy: key(9)))
        #expect(first.key.publicKey != second.key.publicKey && first.ephemeralKey != second.ephemeralKey)
        #expect(first.ciphertext != second.ciphertext)
    }

    @Test("the second key comes from the given randomness")
    func randomness() throws {
        let sealers = (0..<2).map { _ in EnclaveSealer(over: chip, random: SeededRandom(seed: 7), limit: .seconds(600))
        }
        let keys = try sealers.map {
            try EnclaveSealedSecret(decoding: $0.seal(key(1), authorizedBy: key(9))).ephemeralKey
        }
        #expect(keys.first == keys.last)
    }

    @Test("a wrong authorization is one, and nothing else")
    func wrongAuthorization() throws {
        let sealed = try sealer.seal(key(1), authorizedBy: key(9))
        #expect(throws: fault(.authenticationFailed(attemptsLeft: nil))) { try opened(sealed, pin: 8) }
    }

    @Test("a chip of another device does not open it")
    func otherDevice() throws {
        let sealed = try sealer.seal(key(1), authorizedBy: key(9))
        let other = EnclaveSealer(over: try FakeEnclave(), random: SystemRandom(), limit: .seconds(600))
        #expect(throws: fault(.bindingChanged(.device))) { try opened(sealed, other) }
    }

    @Test("a secret of another seal under the same authorization does not open with this one's key")
    func swapped() throws {
        let first = try EnclaveSealedSecret(decoding: try sealer.seal(key(1), authorizedBy: key(9)))
        let second = try EnclaveSealedSecret(decoding: try sealer.seal(key(2), authorizedBy: key(9)))
        let mixed = EnclaveSealedSecret(
            key: first.key, ephemeralKey: first.ephemeralKey, check: first.check, ciphertext: second.ciphertext)
        #expect(throws: fault(.authenticationFailed(attemptsLeft: nil))) { try opened(mixed.encoded) }
        let otherKey = EnclaveSealedSecret(
            key: first.key, ephemeralKey: second.ephemeralKey, check: second.check, ciphertext: second.ciphertext)
        #expect(throws: SecureStorageError.tampered(.header)) { try opened(otherKey.encoded) }
    }

    @Test("no changed byte opens, and a change outside the ciphertext is not taken for a wrong authorization")
    func changes() throws {
        let sealed = try sealer.seal(key(1), authorizedBy: key(9))
        for offset in sealed.indices {
            var changed = sealed
            changed[offset] ^= 1
            #expect(throws: SecureStorageError.self, "byte \(offset)") { try opened(changed) }
            if offset < sealed.count - EnclaveSealedSecret.ciphertextSize {
                let error = #expect(throws: SecureStorageError.self) { try opened(changed) }
                #expect(error != fault(.authenticationFailed(attemptsLeft: nil)), "byte \(offset)")
            }
        }
    }

    @Test("bytes that are cut or followed by others, and later versions, are refused")
    func decoding() throws {
        let sealed = try sealer.seal(key(1), authorizedBy: key(9))
        #expect(try EnclaveSealedSecret(decoding: sealed).encoded == sealed)
        for bytes in [Array(sealed.dropLast()), sealed + [0], [], Array(sealed.dropFirst())] {
            #expect(throws: SecureStorageError.damaged) { try opened(bytes) }
        }
        var later = sealed
        later[8] = 2
        #expect(throws: SecureStorageError.unsupportedVersion(2)) { try opened(later) }
    }

    @Test(
        "every change of the machine has its own error",
        arguments: [
            (
                BackendFault.unavailable(.noDevice),
                { @Sendable (state: inout FakeEnclave.State) in state.isPresent = false }
            ),
            (.interactionNotAllowed, { @Sendable state in state.isUnlocked = false }),
            (.bindingChanged(.biometry), { @Sendable state in state.biometry = 2 }),
            (.bindingChanged(.biometry), { @Sendable state in state.biometry = nil }),
            (.authenticationFailed(attemptsLeft: nil), { @Sendable state in state.answer = .wrongFace }),
            (.cancelled, { @Sendable state in state.answer = .cancel }),
        ])
    func states(expected: BackendFault, change: @Sendable (inout FakeEnclave.State) -> Void) throws {
        let chip = try FakeEnclave(.biometryCurrentSet)
        let sealer = EnclaveSealer(over: chip, random: SystemRandom(), limit: .seconds(600))
        let sealed = try sealer.seal(key(1), authorizedBy: key(9))
        #expect(try opened(sealed, sealer).first == 1)
        chip.change(change)
        #expect(throws: fault(expected)) { try opened(sealed, sealer) }
    }

    @Test("a chip that hangs ends at the time limit")
    func hangs() throws {
        let sealer = EnclaveSealer(over: chip, random: SystemRandom(), limit: .milliseconds(20))
        let sealed = try self.sealer.seal(key(1), authorizedBy: key(9))
        let release = DispatchSemaphore(value: 0)
        chip.change { $0.hang = { release.wait() } }
        #expect(throws: fault(.timedOut)) { try opened(sealed, sealer) }
        release.signal()
    }

    @Test("a key that may leave its device is refused")
    func bound() {
        for level in Accessibility.allCases where !level.isBoundToDevice {
            #expect(throws: SecureStorageError.notHonoured(level)) { try EnclaveAccess(.none, level) }
        }
    }

    @Test("the flags of a policy are Apple's, with the use of the private key")
    func flags() throws {
        let expected: [(AccessControlPolicy, UInt)] = [
            (.none, 0), (.userPresence, 1), (.biometryAny, 2), (.biometryCurrentSet, 8), (.devicePasscode, 16),
            (.custom([.biometryAny, .or, .devicePasscode]), 2 | 1 << 14 | 16),
        ]
        for (policy, bits) in expected {
            #expect(try EnclaveAccess(policy, .whenUnlockedThisDeviceOnly).flags.rawValue == bits | 1 << 30)
        }
    }
}
