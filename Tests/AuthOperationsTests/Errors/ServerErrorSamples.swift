internal import AuthAPI
internal import AuthSettings
internal import Files
internal import SecureStorage
internal import ServerHTTP
internal import Tokens

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import SQLStore
@testable internal import ServerAudit
@testable internal import WebAuthn

/// A value of every case of every error of the server and of the libraries below it, with planted texts in it.
enum ServerErrorSamples {
    /// The mark in every planted text.
    static let mark = "zq"
    static let path = "/zq/file.pem"

    static let all: [any Error] =
        problems + tokens + webAuthn + stores + [
            ConfigurationError("zq.setting", "zqreason"), ConfigurationError("", "zqreason of the file"),
        ] + flaws + starts + AuditFault.allCases + operations

    static let problems: [any Error] = ProblemCode.allCases.flatMap { code in
        [Problem(code), Problem(code, status: 418, retryAfter: 3, maxAge: 60, limit: "zqlimit")]
    }

    static let tokenErrors: [TokensError] =
        [
            .tooLong(limit: 9), .wrongAlgorithm, .wrongType, .forbiddenHeader, .unsupportedKey, .privateKey,
            .unknownKey, .badSignature, .expired, .nonceRequired, .untimely, .badTag, .damaged,
        ]
        + [
            .text, .header, .payload, .signature, .key, .keySet, .thumbprint, .url, .scope, .refreshToken, .rotations,
        ].map { .malformed($0) }
        + [
            .issuer, .subject, .audience, .expiry, .issuedAt, .identifier, .client, .session, .confirmation,
            .authenticationTime, .authenticationContext, .authenticationMethods, .scope, .method, .url,
            .accessTokenHash, .nonce,
        ].map { .wrongClaim($0) }

    static var tokens: [any Error] { tokenErrors }

    static let chains: [ChainFault] = [
        .noAnchor, .validity(position: 1), .signature(position: 1), .notAnAuthority(position: 1), .keyUsage,
        .criticalExtension(position: 1), .revoked(position: 1), .weakHash,
    ]

    static let attestationFlaws: [AttestationFlaw] =
        [
            .malformed, .wrongAlgorithm, .badSignature, .unreadableCertificate, .wrongModel, .wrongKey, .wrongNonce,
        ]
        + [
            .version, .subject, .noAuthority, .model, .alternativeName, .manufacturer, .extendedKeyUsage, .key,
            .missingExtension, .malformedExtension,
        ].map { .certificate($0) }
        + [.publicArea, .certification, .magic, .type, .name, .movableKey].map { .tpm($0) }
        + [.allApplications, .origin, .purpose, .software, .signedByApp].map { .androidKey($0) }

    static var webAuthn: [any Error] {
        let trusts: [AttestationTrust] = [.none, .selfSigned] + chains.map { .untrusted($0) }
        let refusals: [AttestationPolicy.Refusal] =
            trusts.map { .trust($0) }
            + [
                .format, .model, .unprovenModel, .unknownModel, .metadataOutOfDate,
                .status(MetadataStatus(rawValue: "zqSTATUS")),
            ]
        let errors: [WebAuthnError] =
            [
                .unsupportedAlgorithm(-9), .unsupportedAttestationFormat, .wrongType, .wrongChallenge, .wrongOrigin,
                .crossOriginRefused, .wrongTopOrigin, .foreignOrigin, .wrongRelyingParty, .userNotPresent,
                .userNotVerified, .inconsistentBackupFlags, .backupEligibilityChanged, .badSignature,
                .credentialNotAllowed, .credentialExcluded, .wrongCredential, .wrongUser, .missingUserHandle,
            ]
            + [
                .response, .options, .clientData, .attestationObject, .authenticatorData, .publicKey, .extensions,
                .challenge, .credentialID, .userHandle, .origin, .relyingPartyID, .userName,
            ].map { .malformed($0) }
            + COSEAlgorithm.allCases.map { .algorithmNotOffered($0) } + attestationFlaws.map { .attestation($0) }
            + refusals.map { .attestationRefused($0) }
        let metadata: [MetadataFlaw] =
            [.malformed, .unsupportedAlgorithm, .badSignature, .wrongSigner, .rolledBack(from: 3)]
            + chains.map { .untrusted($0) }
        return errors + metadata + chains
    }

    static let storeErrors: [StoreError] = [
        .unavailable, .notReached("zqhost of the database"), .sharedSessions, .outcomeUnknown, .overloaded, .timedOut,
        .diskFull,
        .fileReplaced, .damaged, .conflict, .unstorable, .unexpectedColumn(3), .failed(code: "zqcode"),
        .failed(code: "SQLite 1"),
        .failed(code: "SQLite 8"), .transactionIsOver, .sealIsBroken, .unknownSealingKey(4),
        .migrationWasChanged("zqmigration"), .unknownMigration("zqmigration"), .insecure, .invalidAddress,
        .alreadyExists, .notFound,
    ]

    static var stores: [any Error] { storeErrors }

    static var flaws: [any Error] {
        let files: [OperatorFile.Flaw] = [.missing, .unreadable, .tooLarge(9)]
        let keys: [WitnessedLogs.Flaw] = [.unreadable, .notText, .notAKey(line: 9), .secondKey(line: 9), .tooManyKeys]
        return files + keys
    }

    static let startupErrors: [StartupError] =
        [
            .attestationFile(path), .pageLogo(path, "zqreason"),
            .olderMetadata(path: path, number: 3, seen: 4), .otherMasterKey, .vaultIsMissing(path), .noSQLite,
            .noStore(path), .noSuchAccount, .noSuchPasskey, .olderTables, .relyingParty,
            .witnessedLogs(path, "zqreason"), .fileExists(path), .noAuditLog, .noCheckpoint,
        ] + AuditFault.allCases.map { .auditLog(folder: path, $0) }

    static let certificateFaults: [CertificateFault] = [.unreadable(path: path), .otherKey]

    static var starts: [any Error] { startupErrors + certificateFaults }

    static let storageErrors: [SecureStorageError] = [
        .wrongPassphrase, .notFound, .alreadyExists, .notAVault, .unsupportedVersion(9), .truncated, .damaged,
        .tampered(.header), .tampered(.index), .tampered(.item), .itemSwapped, .rolledBack(found: 3, expected: 4),
        .lockedByAnother(processID: 7), .lockedByAnother(processID: nil), .diskFull, .tooWeakKDF, .tooCostlyKDF,
        .outOfMemory, .insecureFile, .notHonoured(.whenUnlocked), .outsideLimits(.name), .wrongKind, .keyMissing,
        .slotNotRemovable, .notWritable, .closed, .backend(.tpm, .required), .migration(.unfinished),
        .inputOutput(.open, code: 13), .inputOutput(.write, code: 5),
    ]

    static let fileErrors: [FileError] = [
        .notFound, .alreadyExists, .lockedByAnother(processID: 7), .diskFull, .insecureFile, .outsideLimits(.name),
        .inputOutput(.open, code: 13), .inputOutput(.write, code: 5),
    ]

    static var operations: [any Error] {
        OperationFailure.Kind.allCases.map { OperationFailure($0, "zq_name", "zqmessage", hint: "zqhint") }
    }
}
