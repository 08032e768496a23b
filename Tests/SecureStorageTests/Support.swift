internal import Crypto
internal import Foundation
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

/// A folder that is removed when the test is done with it.
final class TemporaryFolder: Sendable {
    let path: String

    init(at parent: String = FileManager.default.temporaryDirectory.path) throws {
        path = "\(parent)/fueki-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

func secret(_ text: String) -> SecretBytes {
    var bytes = [UInt8](text.utf8)
    return SecretBytes(moving: &bytes)
}

/// Returns the text of a secret, for a test that knows it; nil for nil.
func text(_ secret: consuming SecretBytes?) -> String? {
    guard let secret else { return nil }
    return secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

func overwrite(_ path: String, with bytes: [UInt8]) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
}

func name(_ account: String, in service: String = "test") throws -> ItemName {
    try ItemName(service: service, account: account)
}

extension Stretcher {
    /// A free derivation. The real one does not open its vaults, although the costs in the file are the real ones.
    static let cheapForTesting = Stretcher { passphrase, stretching, salt throws(SecureStorageError) in
        let digest = passphrase.withUnsafeBytes { passphrase in
            SHA256.hash(data: Array(passphrase) + Array("\(stretching)".utf8) + salt)
        }
        return SecretBytes(count: 32) { memory in digest.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }
}

extension VaultFile {
    static func createCheaply(
        at path: String, passphrase: String = "correct horse", freshness: Freshness = .unchecked,
        random: some RandomSource = SystemRandom()
    ) throws(SecureStorageError) -> VaultFile {
        try create(
            at: path, passphrase: secret(passphrase), freshness: freshness, random: random,
            stretcher: .cheapForTesting)
    }

    static func openCheaply(
        at path: String, passphrase: String = "correct horse", freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try open(
            at: path, passphrase: secret(passphrase), freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
    }

    static func readCheaply(
        at path: String, passphrase: String = "correct horse", freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try openReadOnly(
            at: path, passphrase: secret(passphrase), freshness: freshness, stretcher: .cheapForTesting)
    }
}
