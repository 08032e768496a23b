import ExchangeCredentials
import Files
internal import PinnedWebSockets
import SecureStorage
import Time
import WitnessClient

@testable import AuditLog
@testable import Exchange
@testable import PinnedHTTP

extension ErrorSamples {
    // MARK: - PinnedHTTP

    static let trustFaults: [TrustFault] = [
        .unknownAuthority, .wrongName, .expired, .forbiddenName, .stapleRequired, .version, .tooManyCertificates,
        .notTLS, .noCommonAlgorithm, .handshake,
    ]

    static let hostPinFaults: [HostPins.Fault] = [.host, .noPins, .noBackup, .repeatedPin, .tooMany, .exclusion]

    static let pinFaults: [PinFault] = [
        .unknownKeys(served: Pin(bytes: [UInt8](repeating: 0xB7, count: 32)).map { [$0] } ?? []), .noPins, .pinsExpired,
    ]

    static let failureReasons: [HTTPFailure.Reason] =
        [
            .notConnected, .closed, .notHTTP, .tooLarge(limit: 9), .timedOut(.connecting), .timedOut(.answering),
            .notEncrypted, .cancelled,
        ] + trustFaults.map { .untrusted($0) } + pinFaults.map { .notPinned($0) }

    static let connectionFaults: [ConnectionFault] = [
        .onionWithoutProxy, .notEncrypted, .pinsWithoutTLS, .pinsRequired,
    ]

    static var connections: [any Error] {
        let failures = failureReasons.map { HTTPFailure($0, mayHaveArrived: true) }
        let answers: [AnswerFault] = [.status(404), .contentType, .malformed]
        let endpoints: [EndpointFailure] = failures.map { .transport($0) } + answers.map { .answer($0) }
        return failures + connectionFaults + trustFaults + answers + endpoints + policies + streams
    }

    private static var policies: [any Error] {
        let hosts = hostPinFaults
        let policies: [PinPolicy.Fault] =
            [.notJSON, .member(Planted.text("member")), .unknownMember, .format, .repeatedHost, .tooManyHosts]
            + hosts.map { .host(index: 3, $0) }
        let signed: [SignedPinPolicy.Fault] =
            [.malformed, .signature, .rollback(current: 5)] + policies.map { .policy($0) }
        return hosts + policies + signed
    }

    private static var streams: [any Error] {
        let handshakes: [WebSocketHandshakeFault] = [.notHTTP, .upgrade, .accept, .unrequested]
        let violations: [WebSocketViolation] = [
            .reservedBits, .opcode, .masked, .length, .controlFrame, .fragment, .tooManyFragments, .tooLarge(limit: 9),
            .notUTF8, .closeCode,
        ]
        let ends: [WebSocketEnd] = [
            .byServer(code: 1_001), .byServer(code: nil), .byCaller, .replaced, .cut, .noPong, .silent, .notSubscribed,
            .policyChanged,
        ]
        let failures: [WebSocketFailure] =
            [
                .refused(status: 403), .subscriptionTimedOut, .subscriptionFailed, .readerTooSlow, .cancelled,
            ] + failureReasons.map { .connection($0) } + handshakes.map { .handshake($0) }
            + violations.map { .violation($0) } + ends.map { .lost($0) }
        return handshakes + violations + failures
    }

    // MARK: - Exchange

    static var exchange: [any Error] {
        let inputs: [InputFault] = [
            .empty, .tooShort(least: 3), .tooLong(most: 9), .space(offset: 2), .invisible(offset: 2),
            .character(offset: 2), .lowerCase(offset: 2), .notBase64, .secretInPlaceOfKey, .otherVenue(.binance),
            .otherVenue(.kraken), .notAKeyFile, .encryptedKeyFile, .notEd25519, .notANumber, .sign, .exponent,
            .comma(offset: 2), .tooManyDecimals(most: 8), .zero, .tooLarge, .sameKey, .severalVenues, .notAnAddress,
            .notPins, .tooMany(most: 64), .noSlash,
        ]
        let fields: [InputField] = [
            .label, .key, .secret, .passphrase, .symbol, .amount, .price, .orderID, .window, .endpoint,
            .pins,
        ]
        let states: [StateFault] =
            [
                .journalFull, .storage(.diskFull), .storage(.insecureFile), .noncesUsedUp,
                .olderJournal(found: 3, expected: 5),
            ] + [.journal, .nonce, .wait, .seen].map { .damaged($0) }
        let waits: [Exchange.Wait.Reason] = [.rateLimit, .ban, .firewall, .lockout, .callCounter]
        let doubts: [Doubt] =
            [.status(502), .answer, .exchange, .duplicate, .otherTerms, .notAnswered, .tooEarly]
            + failureReasons.map { .transport($0) }
        let credentials: [CredentialError] =
            [.noKey, .labelTaken, .revoked, .keysMissing]
            + [.wrongPassphrase, .rolledBack(found: 3, expected: 5), .damaged, .diskFull].map { .store($0) }
            + inputs.map { .invalid(.key, $0) } + fields.map { .invalid($0, .empty) }
        let errors: [ExchangeError] =
            [
                .busy, .clock, .late, .idTaken, .unknownOrder,
                .testPlaced(ids: [Planted.id, Planted.otherID]),
            ] + [ClientOrderID(bytes: Array("zqclient's id 16".utf8))].compactMap { $0.map { .sameOrder($0) } }
            + credentials.map { .credential($0) } + inputs.map { .invalid(.key, $0) }
            + hostPinFaults.map { .pins($0) }
            + connectionFaults.map { .connection($0) } + fields.map { .invalid($0, .empty) }
            + states.map { .state($0) }
            + waits.map { .mustWait(Exchange.Wait(reason: $0, until: Timestamp(milliseconds: 1_795_000_000_000))) }
            + failureReasons.map { .transport(HTTPFailure($0, mayHaveArrived: false)) }
            + Exchange.Refusal.Reason.allCases.map {
                .refused(Exchange.Refusal(reason: $0, code: Planted.text("code")))
            }
            + doubts.map { .unclear($0) }
        return credentials + errors
    }

    // MARK: - AuditLog

    static let witnessRefusals: [WitnessRefusal] = [
        .malformed, .notSigned, .unknownLog, .otherSize(9), .otherRoot(size: 9), .inconsistent, .notStored,
    ]

    static let auditLogErrors: [AuditLogError] =
        [
            .notFound, .alreadyExists, .lockedByAnother(processID: 77), .lockedByAnother(processID: nil), .otherLog,
            .unsupportedVersion(9), .damaged(sequence: 7), .rolledBack(size: 3, expected: 5), .forked(size: 5),
            .epochSecretMissing, .keyBesideLog, .diskFull, .writeFailed(code: 5), .broken, .overloaded, .closed,
            .sinkFailed(Planted.text("sink")), .outsideLimits,
        ] + [.signer, .checkpoints, .epochSecrets, .witness].map { .portFailed($0) }
        + witnessRefusals.map { .witnessRefused($0) }
        + [.malformed, .cosignature, .time].map { .badWitnessAnswer($0) }

    static var auditLogs: [any Error] {
        let witnesses: [HTTPWitness.Fault] = [.path, .address, .keyOfLog]
        return witnesses + witnessRefusals + auditLogErrors
    }
}
