import Bitcoin
import Encoding
import Ethereum
import Files
import HDKeys
import Secrets
import SecureStorage
import Wallet
internal import WalletBooks

@testable import Ceremonies
@testable import Custody
@testable import Threshold

extension ErrorSamples {
    /// An error of another program's port, whose description is foreign.
    struct ForeignError: Error, Equatable, CustomStringConvertible {
        let description = Planted.text("foreign error of a port")
    }

    static let party = Sharing.Party(number: 2, dealer: Planted.index(2), receiver: nil)
    static let receiver = Sharing.Party(number: 2, dealer: nil, receiver: Planted.index(2))

    static let threshold: [any Error] = thresholdErrors

    static let thresholdErrors: [ThresholdError] =
        [
            .malformed(.truncated), .invalidElement, .invalidParameters, .inconsistentKey, .wrongGroup,
            .duplicateParticipant(Planted.index()), .unknownParticipant(Planted.index()),
            .missingParticipant(Planted.index()), .tooFewSigners(needed: 2), .tooManySigners(needed: 2),
            .ownCommitmentMismatch, .invalidTweak, .faulty(culprits: [Planted.index(1), Planted.index(2)]),
            .cheating(by: Planted.index()), .banned(Planted.index()), .outdatedShare,
            .wrongEpoch(expected: 3, got: 2), .wrongEpoch(expected: 2, got: 3), .disagreement(with: Planted.index()),
            .unauthentic(from: Planted.index()), .wrongMessage, .failedSignature, .exhausted(.bytes(limit: 9)),
            .exhausted(.sessions(limit: 9)),
        ]
        + ([
            .invalidIntroduction(of: .dealer(Planted.index())),
            .duplicateHostKey(of: .dealer(Planted.index()), and: .receiver(Planted.index())), .wrongPurpose,
            .wrongSession, .wrongSender, .foreignHostKey, .foreignIntroduction, .wrongRole, .brokenRandomness,
            .coordinator, .faulty([party, receiver]), .missing(party), .unknown(receiver), .invalidCertificate,
        ]
        + [.commitment, .malformed, .degree, .proof(power: 1), .constant, .share].map { .suspect(party, $0) })
        .map { .sharing($0) }
        + [
            .invalidHostKey(of: Planted.index()), .duplicateHostKey(of: Planted.index(1), and: Planted.index(2)),
            .foreignHostKey, .mismatch(between: Planted.index(1), and: Planted.index(2)), .coordinator,
        ].map { .pairSetup($0) }

    static let findings: [Wallet.Finding] = [.notice, .costly, .refusal].map {
        Finding(Planted.text("_finding"), Planted.text(" is found here"), $0)
    }

    static func decision(
        _ verdict: Decision.Verdict, rule: String?, passed: [String] = [], limits: [Decision.Limit] = []
    ) -> Decision {
        Decision(findings: [
            Decision.Finding(
                effect: nil, rule: rule, verdict: verdict, reason: Planted.text("reason of a rule"), passed: passed,
                limits: limits)
        ])
    }

    static let decisions: [Decision] =
        [.allowed, .notBefore(1_800_000_000), .needsApproval(missing: 1), .needsApproval(missing: 2), .denied].map {
            decision($0, rule: Planted.text("rule"))
        } + [
            decision(.denied, rule: nil, passed: [Planted.text("passed rule")]),
            decision(
                .denied, rule: Planted.text("rule"),
                limits: [Decision.Limit(rule: Planted.text("small"), reason: Planted.text("reason of a limit"))]),
        ]

    static let ceremonyErrors: [CeremonyError] =
        [
            .malformedMessage, .staleMessage, .noAnswer(from: [2]), .noAnswer(from: [1, 2]),
            .wrongNumberOfShares(needed: 2, given: 1), .wrongNumberOfShares(needed: 2, given: 3),
            .noSuchShare(index: 9), .notWhatWasConfirmed, .refused(findings), .notAccepted(findings), .noLedger,
            .wallet(.key(.badPath)), .port(PortError(ForeignError())), .port(PortError(CustodyError.badWalletName)),
        ]
        + decisions.map { .forbidden($0) } + thresholdErrors.map { .threshold($0) }
        + thresholdErrors.map { .accusation($0, by: 2) }

    static func ceremonies() throws -> [any Error] {
        ceremonyErrors + [PortError(ForeignError())]
    }

    static let shareFaults: [ShareFault] =
        [.unmounted, .folderIsThere, .noFolder].map { .missing(path: Planted.path, place: $0) }
        + storageErrors.flatMap {
            [
                .unreadable(path: Planted.path, $0), .notWritable(path: Planted.path, $0),
                .notMade(path: Planted.path, $0),
            ]
        }
        + [
            .foreign(path: Planted.path), .otherEpoch(path: Planted.path, found: 1, wallet: 2),
            .otherEpoch(path: Planted.path, found: 3, wallet: 2), .outdated(path: Planted.path),
            .tooManyUnfinishedSignatures(limit: 16), .tooManyFailedSignatures(limit: 16),
            .countsMissing(path: Planted.path), .foreignCounts(path: Planted.path),
            .behind(path: Planted.path, since: 1_800_000_000),
        ]

    static let shareFileFaults: [ShareFileFault] =
        storageErrors.map { .unreadable($0) }
        + [
            .notAShare, .ofAnotherWallet(wallet: Planted.text("other")), .disagrees, .otherEpoch(found: 1, before: 2),
            .otherEpoch(found: 2, before: 2), .inTheWay,
        ]

    static let passphraseFaults: [PassphraseFault] =
        [
            .neither(path: Planted.path), .same, .nothingReachable, .unfinishedRenewal(name: Planted.wallet),
        ] + storageErrors.map { .interrupted(path: Planted.path, $0) }

    static let renewalFaults: [RenewalFault] = [
        .sharesAway([.backup]), .sharesAway([.backup, .recovery]),
        .placeAway(.further(index: 4), folder: Planted.folder), .shareNotLost(.device, path: Planted.path),
        .running(name: Planted.wallet, processID: 7), .running(name: Planted.wallet, processID: nil),
        .elsewhere(name: Planted.wallet, path: Planted.path, found: 1, wallet: 2, needed: 2),
        .elsewhere(name: Planted.wallet, path: Planted.path, found: 3, wallet: 2, needed: 2),
        .elsewhere(name: Planted.wallet, path: Planted.path, found: 2, wallet: 2, needed: 2),
        .tooFewShares(needed: 2, missing: [.recovery]), .unfinished(name: Planted.wallet),
        .unsettled(name: Planted.wallet, needed: 2),
    ]

    static let obstacles: [DeletionObstacle] = [
        .tooFewShares(there: 0, needed: 2), .tooFewShares(there: 1, needed: 2), .tooFewShares(there: 2, needed: 3),
        .openPayments(1), .openPayments(2),
        .unacknowledged(1), .unacknowledged(2), .proposals(1), .proposals(2), .unfinishedRenewal,
        .foreignFiles([Planted.path]),
    ]

    static func bookFaults() throws -> [BookFault] {
        let parts: [BookFault.Part] = [.policy, .contacts, .history, .proposals, .nonces, .frozen]
        return storageErrors.flatMap {
            [.unreadable(path: Planted.path, $0), .notWritable(path: Planted.path, $0)]
        } + parts.flatMap { [.full($0), .tooLarge($0)] }
            + [
                .missing(path: Planted.path, seen: Planted.folder), .foreign(path: Planted.path, seen: Planted.folder),
                .damaged(path: Planted.path), .unprovenPassphrase, .unknown, .badContactName,
                .contactExists(name: Planted.contact), .lookAlike(address: Planted.text("address")),
                .noSuchContact(name: Planted.contact), .otherOrder(key: try PaymentKey(Planted.key)),
                .attemptedMeanwhile(id: Planted.id), .attemptedMeanwhile(id: nil), .notFrozen(Planted.text("coin")),
                .badExport, .exportOfAnotherWallet, .changedMeanwhile,
            ]
    }

    static func custodyErrors() throws -> [CustodyError] {
        [
            .badWalletName, .walletExists(name: Planted.wallet), .noSuchWallet(name: Planted.wallet),
            .unfinishedCreation(name: Planted.wallet),
            .label(.taken(label: Planted.text("label"), wallet: Planted.wallet)),
            .label(.ambiguous(label: Planted.text("label"), wallets: [Planted.wallet, Planted.text("other")])),
            .damagedWallet(name: Planted.wallet, reason: Planted.text("reason")),
            .unhealthyRandomness(.repetition), .unhealthyRandomness(.proportion), .unhealthyRandomness(.period),
            .notDeleted([.unfinishedRenewal, .proposals(2)]), .noSuchShare(name: Planted.share), .malformedRecord,
            .unusablePath, .unusablePassphrase(.notUTF8), .unusablePassphrase(.invisible("\u{200B}")),
            .unusablePassphrase(.outerSpace),
            .badPolicy(try policyFault()), .badProposal,
        ] + obstacles.map { .notDeleted([$0]) } + shareFaults.map { .share(.backup, $0) }
            + shareFileFaults.map { .shareFile(path: Planted.path, $0) } + renewalFaults.map { .renewal($0) }
            + passphraseFaults.map { .passphraseChange($0) }
            + walletErrors.map { .wallet($0) } + ceremonyErrors.map { .ceremony($0) }
            + fileErrors.flatMap { [.noFolder(path: Planted.folder, $0), .file($0)] }
            + storageErrors.map { .approverKey(path: Planted.path, $0) } + (try bookFaults().map { .book($0) })
            + auditLogErrors.map { .log(path: Planted.folder, $0) }
    }

    static let keystoreFields: [Keystore.Field] = [
        .address, .crypto, .cipher, .cipherparams, .ciphertext, .iv, .kdf, .kdfparams, .mac, .dklen, .salt, .n, .r, .p,
        .c, .prf,
    ]

    static func custody() throws -> [any Error] {
        let choices: [WalletChoiceFault] = [
            .noneFits, .severalFit,
            .notAnAccount(try Planted.account(), of: try Planted.walletName(), searched: 20),
            .foreignProposal(of: try Planted.walletName()), .custody(.badProposal),
        ]
        let settings: [SettingsFault] =
            [.relativeCookieFile, .relativePinFile, .unknownUnit, .unknownChain]
            + fileErrors.flatMap {
                [.unreadable(path: Planted.path, $0), .unwritable(path: Planted.path, $0)]
            }
            + [.notJSON, .unknownVersion, .unknownSetting(Planted.text("setting"))].map {
                .malformed(path: Planted.path, $0)
            }
        let keystores: [Keystore.Fault] =
            [
                .notJSON(.truncated), .unknownVersion, .unknownCipher, .unknownDerivation, .costOutOfBounds,
                .outOfMemory, .wrongPassphrase, .badKey, .otherAddress,
            ] + keystoreFields.map { .badField($0) }
        let repairs: [RepairFault] = [
            .noSuchShare(Planted.share), .folders(1, lost: 2), .folders(2, lost: 1), .unnamedFolder,
        ]
        let direct: [any Error] = choices + settings + keystores + repairs + shareFaults + shareFileFaults
        return direct + renewalFaults + (try custodyErrors())
    }
}
