public import Secrets

/// A check that the user is there, and what it unlocks: the port behind which the system asks for a face, a finger or
/// the device's passcode.
///
/// A passed check is never a Boolean, which an attacker who controls the process could turn over: it is the secret that
/// only the checked user's device releases (OWASP MASTG-TEST-0266 and 0267, weakness MASWE-0044).
public protocol UserGate: Sendable {
    /// Returns the reason why the system cannot make this check now; nil if it can. It shows no prompt.
    func unavailability(of check: UserCheck) async -> BackendFault?

    /// Asks the user, and returns what the answer released.
    ///
    /// - Parameters:
    ///   - check: what the system asks for.
    ///   - reason: the text on the system's prompt: what the user unlocks, and for what.
    /// - Throws: ``SecureStorageError/backend(_:_:)``, and the errors of reading the secret.
    func release(by check: UserCheck, reason: String) async throws(SecureStorageError) -> GateAnswer
}

/// The kind of proof that the system asks the user for.
public enum UserCheck: String, CaseIterable, Sendable {
    /// A face or a finger.
    case biometry
    /// The device's passcode, or a face or a finger: the system chooses.
    case devicePasscode = "device-passcode"
}

/// The answer of a gate.
public enum GateAnswer: ~Copyable, Sendable {
    /// The check passed, and released the secret.
    case released(SecretBytes)
    /// The user chose to answer in another way: the second button of the system's prompt.
    case otherWay
}

/// The kind of a device's biometric sensor, for the texts of an app.
public enum BiometryKind: String, CaseIterable, Sendable {
    /// Face ID.
    case face
    /// Touch ID.
    case finger
    /// Optic ID.
    case iris
}
