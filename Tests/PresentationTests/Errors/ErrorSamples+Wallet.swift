import Amounts
import AppleStores
import Curves
import Encoding
import Ethereum
import Files
import HDKeys
import Mnemonics
import Nodes
import PinnedHTTP
import Redaction
import SecureStorage

@testable import Bitcoin
@testable import Secrets
@testable import Wallet

/// A value of every case of every error of the libraries, with planted texts in it.
enum ErrorSamples {
    static func all() throws -> [any Error] {
        let parts: [[any Error]] = [
            encoding, secrets, keys, ethereum, nodes, storage, try bitcoin(), try wallet(), threshold,
            try ceremonies(), try custody(), try payments(), try requests(), connections, exchange, auditLogs,
        ]
        return parts.flatMap { $0 }
    }

    static let encodingErrors: [EncodingError] = [
        .truncated, .leftOver(count: 3), .tooLong(limit: 9), .badCharacter(offset: 4), .badChecksum, .notCanonical,
        .duplicate(offset: 5), .tooDeep(limit: 8), .unsupported,
    ]

    static let addressFaults: [SegwitAddress.Fault] = [
        .mixedCase(offsets: [1, 4]), .foreignCharacters(offsets: [2]), .foreignCharacters(offsets: [2, 3]),
        .length(count: 40, expected: [42, 62]), .mistyped(offsets: [9]), .mistyped(offsets: [9, 12]), .otherChecksum,
        .badChecksum, .unknownProgram,
    ]

    static var encoding: [any Error] { encodingErrors + addressFaults }

    static var secrets: [any Error] {
        let memory: [SecretMemory.Exhausted] = [.bytes(limit: 100), .sessions(limit: 4)]
        let derivations: [Scrypt.Fault] = [.costOutOfBounds, .outOfMemory]
        let redactions: [RedactionError] = [.secretTooShort(3), .secretTooLong(900), .tooManySecrets]
        let words: [Mnemonic.Fault] = [
            .wordCount(11), .unknownWord(position: 5), .badChecksum, .entropySize(17), .notText, .tooLong,
        ]
        return memory + derivations + [Argon2id.OutOfMemory()] + redactions + words
    }

    static let keyErrors: [HDKeyError] =
        encodingErrors.map { .malformed($0) } + [.badPath, .badKey, .wrongNetwork]
        + ScriptPrefix.allCases.map { .otherScripts($0) }

    static var keys: [any Error] {
        let curves: [CurvesError] = [
            .wrongSize(expected: 32, got: 31), .scalarOutOfRange, .invalidPoint, .zero, .invalidSignature,
        ]
        let amounts: [AmountError] = [.malformed, .outOfRange, .otherUnit]
        return keyErrors + curves + amounts
    }

    static let transactionFields: [EthereumTransaction.Field] = [
        .chainID, .nonce, .gasPrice, .maxPriorityFeePerGas, .maxFeePerGas, .gasLimit, .to, .value, .data, .accessList,
        .maxFeePerBlobGas, .blobHashes, .authorizations, .v, .yParity, .r, .s,
    ]

    static let ethereumErrors: [EthereumError] =
        encodingErrors.map { .malformed($0) } + [.badAddress]
        + [
            .malformed, .repeated(name: Planted.text("parameter")), .badAmount, .otherFunction, .badTransfer,
        ].map { .badURI($0) }
        + [.badChainID]
        + ([
            .malformed(.truncated), .unsupportedType(9), .fieldCount(3), .priorityAboveMaximum, .costOverflow,
            .signature,
        ] + transactionFields.map { .field($0) }).map { .badTransaction($0) }
        + [.badSignature, .wrongSigner, .badKey]
        + [
            .malformed(.truncated), .malformed(.tooLong(limit: 9)), .malformed(.tooDeep(limit: 9)), .shape,
            .domainAsMessage, .name, .tooMany, .duplicateMember, .unknownType, .domain, .missingMember, .unknownMember,
            .wrongKind, .outOfRange, .wrongSize, .badAddress, .badAddressChecksum,
        ].flatMap { [.badTypedData($0, at: ""), .badTypedData($0, at: "message.\(Planted.text("Member"))")] }
        + [
            .truncated, .leftOver(count: 2), .dirty, .offset, .text, .tooLong(limit: 9), .wrongType,
        ].map { .badABI($0) }
        + [.badTokenSymbol]

    static let fees = EthereumTransaction.Fees(
        maxPriorityFeePerGas: Wei(UInt256(2_000_000_000)), maxFeePerGas: Wei(UInt256(40_000_000_000)))

    static let ledgerFaults: [NonceLedger.Fault] = [
        .foreign, .used(nonce: 7), .underpriced(fees), .unknown, .full(limit: 16), .inconsistent, .notReplaceable,
        .aboveCeiling(least: fees), .malformed,
    ]

    static var ethereum: [any Error] { ethereumErrors + ledgerFaults }

    static let nodeAddressFaults: [NodeAddress.Fault] = [
        .notAnAddress, .scheme, .host, .port, .path, .credentials, .credentialsInTheClear,
    ]
    static let nodeAnswers: [NodeError.Answer] = [
        .envelope, .id, .chain, .nonce, .balance, .feeHistory, .fee, .gas, .call, .code, .hash, .receipt, .transaction,
        .block, .coins, .amount, .height, .output, .acceptance, .longWitness,
    ]
    static let nodeRefusals: [NodeError.Refusal] = [
        .nonceTooLow, .nonceTooHigh, .replacementUnderpriced, .conflict, .feeTooLow, .feeTooHigh, .insufficientFunds,
        .otherChain, .notYet, .missingInputs, .other,
    ]
    static let nodeErrors: [NodeError] = {
        let answers: [NodeError] = [
            .timedOut(.connecting), .timedOut(.answering), .tooLarge(limit: 1000), .redirected, .unauthorised,
            .status(503), .notJSON(looksLikeHTML: true), .notJSON(looksLikeHTML: false),
            .rpc(code: -32000, message: Planted.words),
            .wrongChain(expected: Planted.text("chain"), found: Planted.words), .feeAboveCeiling(Planted.words),
            .noBaseFee, .noFeeEstimate(.feeRate), .noFeeEstimate(.dust), .noFeeEstimate(.gasPrice), .outcomeUnknown,
            .searching, .syncing(ChainLag(height: 5, newest: 9)), .syncing(ChainLag(height: 5, newest: nil)),
            .cancelled,
        ]
        var errors: [NodeError] = nodeAddressFaults.map { .badAddress($0) }
        errors += [.badCookie(.missing), .badCookie(.unreadable), .badCookie(.malformed)]
        errors += [.unreachable(.notConnected), .unreachable(.closed), .unreachable(.notHTTP)]
        errors += nodeConnectionFaults.map { .badConnection($0) }
        errors += trustFaults.map { .untrusted($0) }
        errors += pinFaults.map { .notPinned($0) }
        errors += nodeRefusals.map { .refused($0, Planted.words) }
        errors += nodeAnswers.flatMap { [.inconsistent($0), .unexpected($0)] }
        return errors + answers
    }()

    static let nodeConnectionFaults: [NodeConnection.Fault] =
        [.notPins, .notHosts] + connectionFaults.map { .notAllowed($0) }
        + [.keysAndPolicy, .policy(.notJSON), .policy(.member(Planted.text("member")))]
        + hostPinFaults.map { .pins($0) }

    static var nodes: [any Error] { nodeAddressFaults + nodeConnectionFaults + nodeErrors }

    static let backendFaults: [BackendFault] =
        [
            .timedOut, .locked, .interactionNotAllowed, .cancelled, .authenticationFailed(attemptsLeft: nil),
            .authenticationFailed(attemptsLeft: 2), .lockedOut(seconds: nil), .lockedOut(seconds: 600),
            .lockedOut(seconds: 86_400),
            .absenceUnproven, .damagedItem,
            .earlierInstallation, .ambiguous, .sessionOnly, .full, .required, .malformedAnswer, .unsupported,
            .refused(code: -25_300),
        ]
        + [
            .otherSystem, .library("libtss2-zqesys.so.0"), .address, .noSessionBus, .noService, .noDefaultCollection,
            .noDevice, .noPermission,
            .noEntitlement, .noPasscode, .noBiometry, .lockoutAuthorizationEmpty,
            .weakLockout(days: 9),
        ].map { .unavailable($0) }
        + [.platformState, .biometry, .passcode, .device].map { .bindingChanged($0) }

    static let storageErrors: [SecureStorageError] =
        [.wrongPassphrase, .notFound, .alreadyExists, .notAVault, .unsupportedVersion(9), .truncated, .damaged]
        + [.header, .index, .item].map { .tampered($0) }
        + [
            .itemSwapped, .rolledBack(found: 3, expected: 4), .lockedByAnother(processID: 77),
            .lockedByAnother(processID: nil), .diskFull, .tooWeakKDF, .tooCostlyKDF, .outOfMemory, .insecureFile,
        ]
        + Accessibility.allCases.map { .notHonoured($0) }
        + [.name, .itemSize, .itemCount, .generation, .slotCount, .fileSize, .passphrase].map { .outsideLimits($0) }
        + backendFaults.map { .backend(.tpm, $0) }
        + StoreBackend.allCases.map { .backend($0, .unavailable(.library("libzqsecret-1.so.0"))) }
        + [.backend(.secretService, .unavailable(.noService)), .backend(.secretService, .locked)]
        + [.backend(.secretService, .timedOut), .backend(.secretService, .absenceUnproven)]
        + [.backend(.secretService, .damagedItem)]
        + [.backend(.secretService, .unavailable(.noDefaultCollection))]
        + [
            .unfinished, .unconfirmed, .weakRecovery, .weakPIN, .nothingPending, .current(.secretService), .samePlace,
            .sourceMissing, .lostItems, .changed, .damagedRecord,
        ].map { .migration($0) }
        + [.wrongKind, .keyMissing, .slotNotRemovable, .notWritable, .closed]
        + steps.map { .inputOutput($0, code: 5) }

    static let fileErrors: [FileError] =
        [.notFound, .alreadyExists, .lockedByAnother(processID: 77), .lockedByAnother(processID: nil), .diskFull]
        + [.insecureFile] + [.name, .size, .count].map { .outsideLimits($0) } + steps.map { .inputOutput($0, code: 5) }

    private static let steps: [FileError.Step] = [
        .openFolder, .open, .read, .write, .flush, .close, .rename, .flushFolder, .remove, .lock,
    ]

    static var storage: [any Error] {
        let secretFiles: [SecretFile.Flaw] = [.unreadable(code: 2), .empty, .tooLong(1024)]
        return storageErrors + fileErrors + secretFiles + [KeychainStatus.duplicateItem]
    }

    static let fields: [PSBTField] = [
        PSBTField(.global, type: 0), PSBTField(.input(2), type: 1), PSBTField(.output(3), type: 0x10),
    ]

    static func refusals() throws -> [Bitcoin.Refusal] {
        [
            .noInputOfOurs, .nothingToSign, .noOutputs, .tooMuchData(limit: 80), .tooManyInputs(limit: 200),
            .duplicateInput(try Planted.coin()), .missingPreviousOutput(input: 1), .unprovenAmount(input: 1),
            .outputsExceedInputs, .impossibleAmount, .inconsistentInput(input: 1), .falseInputClaim(input: 1),
            .falseOutputClaim(output: 2), .scriptPath(input: 1), .worthlessInput(input: 1),
            .unsupportedSighash(input: 1), .invalidSignature(input: 1),
        ]
    }

    static func planRefusals() throws -> [PlanRefusal] {
        let coin = try Planted.coin()
        let (some, more) = (try Amount(satoshis: 1000), try Amount(satoshis: 2000))
        let rate = FeeRate(satoshisPerKilobyte: 3000)
        return [
            .noRecipients, .severalTakeTheRest, .dust(recipient: 0, least: some), .unspendable(recipient: 0),
            .ownAddress(recipient: 0), .foreignChange, .badBlockHeight, .impossibleAmount, .feeRateTooLow(least: rate),
            .feeRateTooHigh(most: rate), .feeAboveCeiling(fee: more, ceiling: some),
            .insufficientFunds(.init(missing: some, available: more, frozen: .zero, waiting: .zero)),
            .insufficientFunds(.init(missing: some, available: more, frozen: some, waiting: more)),
            .tooManyInputs(limit: 200), .tooLarge(weight: 400_001), .largeOrigins([coin]), .duplicateCoin(coin),
            .unavailableCoin(coin), .foreignCoin(coin), .missingPreviousTransactions([coin]), .notReplaceable,
            .otherCoins, .feeRateNotHigher(than: rate), .tooManyReplaced(limit: 100), .nothingToSpend, .nothingToJoin,
        ] + (try refusals().map { .refused([$0]) })
    }

    static let psbtErrors: [PSBTError] =
        [.unsupportedVersion(7), .conflictingLockTimes, .previousTransactionMismatch(input: 1)]
        + fields.flatMap { [.duplicateKey($0), .badField($0), .missingField($0), .conflict($0)] }

    static let bitcoinErrors: [BitcoinError] =
        encodingErrors.map { .malformed($0) } + [.badAmount, .badAddress]
        + addressFaults.map { .badSegwitAddress($0) } + [.wrongNetwork]
        + [
            .malformed, .repeated(name: Planted.text("parameter")), .badAmount,
            .unknownRequirement(name: Planted.text("requirement")),
        ].map { .badURI($0) }
        + [.badDescriptor] + keyErrors.map { .key($0) } + [.badTransaction, .foreignOutput]
        + psbtErrors.map { .psbt($0) } + [.badSignature(input: 1), .incomplete(input: 1)]

    static let messageFaults: [MessageSignature.Fault] = [.malformed, .tooLong(limit: 9), .legacy, .proofOfFunds]

    static func bitcoin() throws -> [any Error] {
        try planRefusals() + psbtErrors + bitcoinErrors + messageFaults
    }

    static let walletErrors: [WalletError] =
        [.malformed(.truncated), .badApproval, .badPaymentKey] + keyErrors.map { .key($0) }
        + bitcoinErrors.map { .bitcoin($0) }
        + ethereumErrors.map { .ethereum($0) } + minisignFaults.map { .file($0) }

    static let minisignFaults: [MinisignFault] =
        encodingErrors.flatMap { [.badKey($0), .badSignatureFile($0)] } + [
            .legacySignature, .otherKey, .badSignature, .badTrustedComment, .unsignableComment,
        ]

    static func wallet() throws -> [any Error] {
        let messages: [MessageVerificationFault] = [
            .typedDataOnBitcoin, .bitcoinAddress(.badAddress), .account(.badAddress), .bitcoinSignature(.malformed),
            .ethereumSignature(.badSignature), .message(.badTypedData(.shape, at: "")),
        ]
        return walletErrors + minisignFaults + messages + [try policyFault()]
    }

    /// The fault of a policy with a planted member.
    static func policyFault() throws -> PolicyFault {
        PolicyFault(Planted.text("rules[2].if.to"), Planted.text("problem with a value"))
    }
}
