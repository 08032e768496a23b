internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import WebAuthn

@testable internal import AuthSettings

/// The operator's files about makers and models.
@Suite("Attestation files")
struct AttestationFilesTests {
    @Test("the error names a file that is missing or invalid")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write("nothing of use", to: "text")
        let half = try folder.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "half")
        for path in ["\(folder.path)/none", text, half] {
            for settings in [
                ServerConfiguration.AttestationSettings(
                    isRequired: false, anchors: [.init(format: .packed, path: path)], metadataPath: nil,
                    metadataRootPath: nil),
                ServerConfiguration.AttestationSettings(
                    isRequired: false, anchors: [], metadataPath: text, metadataRootPath: path),
                ServerConfiguration.AttestationSettings(
                    isRequired: false, anchors: [], metadataPath: nil, metadataRootPath: nil,
                    androidRevocationPath: path),
            ] {
                #expect(throws: StartupError.attestationFile(path)) {
                    try AttestationFiles.policy(settings, at: now)
                }
            }
        }
    }

    @Test("each setting relaxes one rule; by default all rules are strict")
    func rules() throws {
        let strict = ServerConfiguration.AttestationSettings(
            isRequired: true, anchors: [], metadataPath: nil, metadataRootPath: nil)
        #expect(try AttestationFiles.policy(strict, at: now).rules == .strict)
        var settings = strict
        settings.allowsInsecureSHA1OfTPMs = true
        var rules = AttestationRules.strict
        rules.insecureSHA1OfTPMs = true
        #expect(try AttestationFiles.policy(settings, at: now).rules == rules)
        settings = strict
        settings.allowsAndroidSoftwareKeys = true
        rules = .strict
        rules.androidKeys = .anywhere
        #expect(try AttestationFiles.policy(settings, at: now).rules == rules)
    }

    @Test(
        "where no attestation is required, nothing that WebAuthn leaves open keeps a passkey out, and nothing is trusted for it"
    )
    func lenientRules() throws {
        var settings = ServerConfiguration.AttestationSettings(
            isRequired: false, anchors: [], metadataPath: nil, metadataRootPath: nil)
        let policy = try AttestationFiles.policy(settings, at: now)
        #expect(policy.rules.insecureSHA1OfTPMs)
        #expect(!policy.rules.fixedTPMKeys)
        #expect(policy.rules.androidKeys == .anywhere)
        #expect(policy.levels == Set(AttestationTrust.Level.allCases))
        #expect(!policy.trustsSHA1OfTPMs)
        #expect(policy.revocations?.count == nil)
        settings.allowsInsecureSHA1OfTPMs = true
        #expect(try AttestationFiles.policy(settings, at: now).trustsSHA1OfTPMs)
    }
}
