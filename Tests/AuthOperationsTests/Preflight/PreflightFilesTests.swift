internal import AuthSettings
internal import Foundation
internal import SQLStore
internal import Secrets
internal import ServerHTTP
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport

/// The files of an installation that the start uses in spite of a fault, and the space of its disks.
@Suite("The files of an installation")
struct PreflightFilesTests {
    private static func passphrase() -> SecretBytes {
        var bytes = Array("eleven blue anchors".utf8)
        return SecretBytes(moving: &bytes)
    }

    private static func set(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Makes a certificate of two days for this name, with its key, and returns the settings of a server that uses it.
    private static func configuration(
        in folder: String, certificateFor name: String, public host: String
    ) throws -> ServerConfiguration {
        let (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
        _ = try Program.output(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=any", "-addext", "subjectAltName=DNS:\(name)", "-keyout", key, "-out", certificate,
            ])
        try set(key, 0o600)
        return try ServerConfiguration(
            ConfigurationSource(
                file: nil,
                environment: [
                    "FUEKID_PUBLIC_URL": "https://\(host)", "FUEKID_TLS_CERTIFICATE": certificate,
                    "FUEKID_TLS_KEY": key,
                ]))
    }

    @Test("the start warns of a vault and a key that others can access, and of a certificate that clients refuse")
    func warnings() async throws {
        let folder = try TemporaryFolder()
        let home = ServerHome(path: folder.path)
        let configuration = try Self.configuration(
            in: folder.path, certificateFor: "other.example.org", public: "auth.example.org")
        try await home.makeVault(passphrase: Self.passphrase())
        try Self.set(home.vaultPath, 0o644)
        try Self.set("\(folder.path)/key.pem", 0o640)
        let found = Preflight.warnings(configuration, home: home, at: .now())
        #expect(found.allSatisfy { !$0.isGood })
        for expected in [
            "other users than its owner can access \(home.vaultPath): chmod 600",
            "other users than its owner can access \(folder.path)/key.pem: chmod 600",
            "\(folder.path)/certificate.pem: expires in ",
            "\(folder.path)/certificate.pem: is not for auth.example.org",
        ] {
            #expect(found.contains { $0.text.hasPrefix(expected) }, "\(expected) in \(found)")
        }
        let expired = Preflight.warnings(configuration, home: home, at: Timestamp.now().adding(.days(3)))
        #expect(expired.map(\.text).contains("\(folder.path)/certificate.pem: has expired: renew it"))
    }

    @Test(
        "a certificate is for the host of the public URL by its name, or by a wildcard for the first label",
        arguments: [
            ("auth.example.org", true), ("AUTH.example.org", true), ("*.example.org", true), ("example.org", false),
            ("*.org", false), ("*", false), ("*.auth.example.org", false),
        ])
    func names(_ name: String, _ isGood: Bool) throws {
        let folder = try TemporaryFolder()
        let configuration = try Self.configuration(
            in: folder.path, certificateFor: name, public: "auth.example.org")
        let findings = Preflight.look(
            atCertificate: "\(folder.path)/certificate.pem", of: configuration, now: Timestamp.now())
        #expect(findings.contains { $0.text.contains("is not for auth.example.org") } == !isGood)
    }

    @Test("a check of a server whose disk is full ends with that error")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let data = try TemporaryFolder()
        let home = ServerHome(path: folder.path)
        try await home.makeVault(passphrase: Self.passphrase())
        var configuration = try TestServer.configuration()
        configuration.store = .sqlite(path: "\(data.path)/auth.sqlite")
        let settings = configuration
        for full in [folder.path, "\(data.path)/"] {
            await #expect(throws: StoreError.diskFull) {
                try await Preflight.findings(settings, home: home, passphrase: Self.passphrase()) {
                    $0 == full ? Limits.freeBytes - 1 : Limits.freeBytes
                }
            }
        }
        for free in [Limits.freeBytes, nil] {
            _ = try await Preflight.findings(settings, home: home, passphrase: Self.passphrase()) { _ in free }
        }
        let space = try #require(FreeSpace.bytes(at: folder.path))
        #expect(space > 0)
        #expect(FreeSpace.bytes(at: "\(folder.path)/nowhere") == nil)
    }
}
