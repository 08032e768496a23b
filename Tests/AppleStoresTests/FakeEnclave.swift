internal import Crypto
internal import Foundation
internal import Secrets
internal import SecureStorage
internal import Synchronization

@testable internal import AppleStores

/// A device with a Secure Enclave, in software: keys leave it only encrypted with the device's own key, and every use
/// asks the device's state and user.
final class FakeEnclave: EnclaveKeyAgreement, EnclaveSigning {
    /// What the device's owner has set up, and what the user does at a prompt.
    struct State {
        var isPresent = true
        var isUnlocked = true
        /// The number of the enrolled set of faces; another one after each change. Nil: none is enrolled.
        var biometry: Int? = 1
        var hasPasscode = true
        var answer = Answer.rightFace
        var prompts: [String] = []
        /// Waits before each use of a key: a chip that hangs.
        var hang: (@Sendable () -> Void)?
        var answersNonsense = false
    }

    enum Answer { case rightFace, wrongFace, cancel }

    let state = Mutex(State())
    private let deviceKey = SymmetricKey(size: .bits256)
    /// The condition of the keys for agreement.
    private let access: EnclaveAccess

    init(_ policy: AccessControlPolicy = .none) throws {
        access = try EnclaveAccess(policy, .whenUnlockedThisDeviceOnly)
    }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func unavailability() -> BackendFault? { state.withLock { $0.isPresent ? nil : .unavailable(.noDevice) } }

    func generate() throws(SecureStorageError) -> EnclaveKey {
        let key = P256.KeyAgreement.PrivateKey()
        return try EnclaveKey(
            blob: try seal(key.rawRepresentation, access), publicKey: [UInt8](key.publicKey.x963Representation))
    }

    func generate(_ access: EnclaveAccess) throws(SecureStorageError) -> EnclaveKey {
        let key = P256.Signing.PrivateKey()
        return try EnclaveKey(
            blob: try seal(key.rawRepresentation, access), publicKey: [UInt8](key.publicKey.x963Representation))
    }

    func sharedSecret(ofKeyIn blob: [UInt8], with publicKey: [UInt8]) throws(SecureStorageError) -> SecretBytes {
        let key = try open(blob, asking: "open")
        guard let other = try? P256.KeyAgreement.PublicKey(x963Representation: publicKey) else { throw .damaged }
        guard let own = try? P256.KeyAgreement.PrivateKey(rawRepresentation: key),
            let shared = try? own.sharedSecretFromKeyAgreement(with: other)
        else { throw .backend(.secureEnclave, .malformedAnswer) }
        return SecretBytes(count: 32) { memory in shared.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }

    func publicKey(ofKeyIn blob: [UInt8]) throws(SecureStorageError) -> [UInt8] {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: try unsealed(blob).key) else {
            throw .backend(.secureEnclave, .bindingChanged(.device))
        }
        return [UInt8](key.publicKey.x963Representation)
    }

    func sign(
        _ message: [UInt8], withKeyIn blob: [UInt8], asking reason: String?
    ) throws(SecureStorageError) -> [UInt8] {
        let key = try open(blob, asking: reason)
        let wanted = state.withLock { $0.answersNonsense } ? message + [0] : message
        guard let signature = try? P256.Signing.PrivateKey(rawRepresentation: key).signature(for: Data(wanted)) else {
            throw .backend(.secureEnclave, .malformedAnswer)
        }
        return [UInt8](signature.rawRepresentation)
    }

    /// The blob: the policy's number, the enrolled faces, and the private key, encrypted for this device.
    private func seal(_ key: Data, _ access: EnclaveAccess) throws(SecureStorageError) -> [UInt8] {
        let biometry = state.withLock { $0.biometry } ?? 0
        let plain = Data([UInt8(access.policy.asked), UInt8(biometry)]) + key
        guard let box = try? AES.GCM.seal(plain, using: deviceKey), let blob = box.combined else {
            throw .backend(.secureEnclave, .malformedAnswer)
        }
        return [UInt8](blob)
    }

    private func unsealed(_ blob: [UInt8]) throws(SecureStorageError) -> (asked: UInt8, biometry: Int, key: Data) {
        guard let box = try? AES.GCM.SealedBox(combined: blob), let plain = try? AES.GCM.open(box, using: deviceKey),
            plain.count == 34, let asked = plain.first
        else { throw .backend(.secureEnclave, .bindingChanged(.device)) }
        return (asked, Int(plain[plain.startIndex + 1]), plain.dropFirst(2))
    }

    private func open(_ blob: [UInt8], asking reason: String?) throws(SecureStorageError) -> Data {
        state.withLock { $0.hang }?()
        let (asked, biometry, key) = try unsealed(blob)
        let fault = state.withLock { state -> BackendFault? in
            guard state.isUnlocked else { return .interactionNotAllowed }
            guard asked > 0 else { return nil }
            if asked == 4 && !state.hasPasscode { return .bindingChanged(.passcode) }
            if asked == 3 && state.biometry != biometry { return .bindingChanged(.biometry) }
            guard let reason else { return .interactionNotAllowed }
            state.prompts.append(reason)
            switch state.answer {
            case .rightFace: return nil
            case .wrongFace: return .authenticationFailed(attemptsLeft: nil)
            case .cancel: return .cancelled
            }
        }
        if let fault { throw .backend(.secureEnclave, fault) }
        return key
    }
}

extension AccessControlPolicy {
    fileprivate var asked: Int {
        switch self {
        case .none: 0
        case .userPresence: 1
        case .biometryAny: 2
        case .biometryCurrentSet: 3
        case .devicePasscode: 4
        case .custom: 1
        }
    }
}
