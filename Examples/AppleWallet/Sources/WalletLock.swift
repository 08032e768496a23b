import AppleStores
import Foundation
import LocalAuthentication
import Secrets
import SecureStorage

/// The passphrase of the wallet, sealed twice by the Secure Enclave: for the enrolled faces, and for the passcode.
struct WalletLock: Sendable {
    let folder: String

    /// The system's checks. Each opens its own sealed file with the context in which it passed.
    var gate: LocalAuthenticationGate {
        let folder = folder
        return LocalAuthenticationGate(for: .secureEnclave) { check, context throws(SecureStorageError) in
            guard let sealed = FileManager.default.contents(atPath: Self.file(of: check, in: folder)) else {
                throw .notFound
            }
            return try Self.sealer(for: check, context).open([UInt8](sealed), authorizedBy: Self.authorization())
        }
    }

    /// Makes a passphrase, and seals it. - Returns: the passphrase.
    func make() throws -> SecretBytes {
        let passphrase = SecretBytes(count: 32, from: SystemRandom())
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for check in UserCheck.allCases {
            let sealed = try Self.sealer(for: check, nil).seal(passphrase, authorizedBy: Self.authorization())
            try Data(sealed).write(to: URL(fileURLWithPath: Self.file(of: check, in: folder)), options: .atomic)
        }
        return passphrase
    }

    private static func file(of check: UserCheck, in folder: String) -> String { "\(folder)/\(check.rawValue).sealed" }

    private static func sealer(
        for check: UserCheck, _ context: CheckedContext?
    ) throws(SecureStorageError) -> EnclaveSealer {
        try EnclaveSealer(
            policy: check == .biometry ? .biometryCurrentSet : .devicePasscode,
            accessibility: .whenPasscodeSetThisDeviceOnly, context: context, random: SystemRandom())
    }

    /// Returns the authorization: 32 zeros, because the Enclave's access policy takes the place of a PIN here.
    private static func authorization() -> SecretBytes { SecretBytes(count: 32) { _ in } }
}
