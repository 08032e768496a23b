internal import Secrets
internal import SecureStorage

@testable internal import AppleStores

extension FuzzEntry {
    /// The files and items of the library AppleStores.
    static let appleStores: [FuzzEntry] = [
        FuzzEntry("keychain-header", seeds: SeedKeychain.headers.map(\.encoded)) {
            try KeychainHeader(decoding: $0).encoded
        },
        // An envelope without its digest, which is corrected so that the rest is read.
        FuzzEntry("keychain-envelope", seeds: try SeedKeychain.envelopes()) { input in
            let opened = try KeychainEnvelope.open(
                secret(input + Sealing.digest(of: input)), as: try SeedKeychain.name(), header: SeedKeychain.header)
            let again = try KeychainEnvelope.seal(opened, as: try SeedKeychain.name(), header: SeedKeychain.header)
            return exposed(again).dropLast(Sealing.digest(of: []).count)
        },
        FuzzEntry("keychain-account", texts: [try SeedKeychain.place().account]) {
            KeychainPlace(service: "service", decoding: $0)?.account
        },
        FuzzEntry("installation", seeds: [try SeedKeychain.installation().encoded]) {
            try Installation(decoding: $0).encoded
        },
        FuzzEntry("enclave-sealed-secret", seeds: [try SeedEnclave.sealed]) {
            try EnclaveSealedSecret(decoding: $0).encoded
        },
        FuzzEntry("enclave-key-file", seeds: try SeedEnclave.files) { try EnclaveKeyFile(decoding: $0).encoded },
    ]
}

/// Files of the Secure Enclave, whose keys are the numbers from 0 on.
private enum SeedEnclave {
    private static var key: EnclaveKey {
        get throws { try EnclaveKey(blob: [UInt8](0..<100), publicKey: [4] + [UInt8](0..<64)) }
    }

    static var sealed: [UInt8] {
        get throws {
            EnclaveSealedSecret(
                key: try key, ephemeralKey: [4] + [UInt8](64..<128), check: [UInt8](0..<32), ciphertext: [UInt8](0..<48)
            ).encoded
        }
    }

    static var files: [[UInt8]] {
        get throws {
            try [.biometryCurrentSet, .custom([.biometryAny, .or, .devicePasscode])].map { policy in
                EnclaveKeyFile(key: try key, access: try EnclaveAccess(policy, .whenUnlockedThisDeviceOnly)).encoded
            }
        }
    }
}

/// The values in a keychain.
private enum SeedKeychain {
    static let id = InstallationID(from: SeedRandom(1))

    static let headers = [
        AccessControlPolicy.none, .biometryCurrentSet, .custom([.biometryAny, .devicePasscode, .or]),
    ]
    .map { KeychainHeader(attributes: .critical(.seed), policy: $0, revision: 7, installation: id) }

    static let header = KeychainHeader(attributes: .sensitive(.other), policy: .none, revision: 1, installation: id)

    static func name() throws -> ItemName { try ItemName(service: "service", account: "account") }

    static func place() throws -> KeychainPlace { KeychainPlace(try name(), slot: 0xab, role: .witness) }

    static func envelopes() throws -> [[UInt8]] {
        let envelope = try KeychainEnvelope.seal(secret([1, 2, 3]), as: try name(), header: header)
        return [exposed(envelope).dropLast(Sealing.digest(of: []).count)]
    }

    static func installation() throws -> Installation {
        try Installation(id).adopting(InstallationID(from: SeedRandom(2)))
    }
}
