import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

/// Imported accounts, as PSBTs of other software with the same mnemonic name their keys.
@Suite("Origins of imported accounts")
struct ImportedOriginTests {
    private static let master = KeyFingerprint(fourBytes: [0x73, 0xC5, 0xDA, 0x0A])
    private static let hardened: UInt32 = 1 << 31

    private let accounts: BitcoinAccounts
    private let ownership: Ownership
    private let taproot: TaprootAccount
    private let segwit: SegwitAccount

    init() throws {
        func account(_ secret: UInt64) -> ExtendedPublicKey {
            ExtendedPublicKey(
                depth: 3, parentFingerprint: .none, childNumber: Self.hardened,
                chainCode: [UInt8](repeating: UInt8(secret), count: 32),
                point: Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(secret)))
        }
        func origin(_ purpose: AccountTemplate.Purpose) throws -> AccountOrigin {
            AccountOrigin(master: Self.master, template: try .bitcoin(purpose, on: .regtest, account: 0))
        }
        taproot = try TaprootAccount(key: account(7), network: .regtest, origin: origin(.taproot))
        segwit = try SegwitAccount(key: account(6), network: .regtest, origin: origin(.segwit))
        accounts = try BitcoinAccounts(taproot: taproot, segwit: segwit)
        ownership = try Ownership(of: accounts, scanning: 3)
    }

    /// From the master key, on a test network.
    private func steps(_ purpose: UInt32, _ rest: [UInt32], account: UInt32 = 0) -> [UInt32] {
        [purpose | Self.hardened, 1 | Self.hardened, account | Self.hardened] + rest
    }

    private func origin(_ steps: [UInt32], master: KeyFingerprint = master) -> [UInt8] {
        master.bytes + steps.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } }
    }

    /// A payment from and back to one far address.
    private func psbt(_ key: DerivedKey) throws -> PSBT {
        try Draft(
            inputs: [(key.scriptPubKey, 100_000, 0xFFFF_FFFF)],
            outputs: [(Draft.bob, 60_000), (key.scriptPubKey, 39_000)]
        ).provenPSBT
    }

    @Test(
        "far addresses are found where a PSBT names the master key and the whole path, and where it names the account")
    func found() throws {
        let path = try AddressPath(.receive, index: 900)
        let (one, other) = (try taproot.key(at: path), try segwit.key(at: path))
        for claim in [origin(steps(86, [0, 900])), taproot.key.fingerprint.bytes + origin([0, 900]).dropFirst(4)] {
            let plain = try psbt(.taproot(one))
            #expect(SpendSummary(of: plain, for: ownership).refusals == [.noInputOfOurs])
            let claimed = try plain.adding([0x16] + one.internalKey, [0] + claim, toMap: 1)
                .adding([0x07] + one.internalKey, [0] + claim, toMap: 3)
            let summary = SpendSummary(of: claimed, for: ownership)
            #expect(summary.refusals.isEmpty && summary.signingRequests.map(\.key) == [.taproot(one)])
            #expect(summary.outputs[1].path == path)
        }
        for claim in [origin(steps(84, [0, 900])), segwit.key.fingerprint.bytes + origin([0, 900]).dropFirst(4)] {
            let plain = try psbt(.segwit(other))
            let claimed = try plain.adding([0x06] + other.publicKey.encoded, claim, toMap: 1)
                .adding([0x02] + other.publicKey.encoded, claim, toMap: 3)
            let summary = SpendSummary(of: claimed, for: ownership)
            #expect(summary.refusals.isEmpty && summary.signingRequests.map(\.key) == [.segwit(other)])
            #expect(summary.outputs[1].path == path)
        }
    }

    @Test(
        "what names our account by its origin and is not there is refused; other accounts of the same words are not ours"
    )
    func false_() throws {
        let near = try taproot.key(at: AddressPath(.receive, index: 0))
        let plain = try psbt(.taproot(near))
        func refusals(_ key: [UInt8], _ claim: [UInt8]) throws -> [Refusal] {
            SpendSummary(of: try plain.adding([0x07] + key, [0] + claim, toMap: 3), for: ownership).refusals
        }
        let far = try taproot.key(at: AddressPath(.receive, index: 900))
        for rest in [[0, 1], [0, 900], [2, 0], [0], [0, Self.hardened], [0, 0, 0]] as [[UInt32]] {
            #expect(
                try refusals(near.internalKey, origin(steps(86, rest))) == [.falseOutputClaim(output: 1)], "\(rest)")
        }
        #expect(try refusals(far.internalKey, origin(steps(86, [0, 900]))) == [.falseOutputClaim(output: 1)])
        #expect(try refusals(near.internalKey, origin(steps(86, [0, 0]))).isEmpty)
        // Other accounts below the same key, and the same path below another key.
        #expect(try refusals(near.internalKey, origin(steps(86, [0, 5], account: 1))).isEmpty)
        #expect(try refusals(near.internalKey, origin(steps(49, [0, 5]))).isEmpty)
        #expect(try refusals(near.internalKey, origin([0, 5])).isEmpty)
        #expect(
            try refusals(near.internalKey, origin(steps(86, [0, 5]), master: KeyFingerprint(fourBytes: [1, 2, 3, 4])))
                .isEmpty)
    }

    @Test("the wallet's PSBTs name keys from the master key on, for other software with the mnemonic")
    func written() throws {
        let path = try AddressPath(.receive, index: 5)
        let keys: [DerivedKey] = [.taproot(try taproot.key(at: path)), .segwit(try segwit.key(at: path))]
        let coins = try keys.enumerated().map { number, key in
            let output = TransactionOutput(amount: try Amount(satoshis: 50_000), scriptPubKey: key.scriptPubKey)
            let previous = Transaction(
                version: 2, inputs: [TransactionInput(previousOutput: try Draft.outPoint(number), sequence: 0)],
                outputs: [output], lockTime: 0)
            return try Bitcoin.Coin(
                OutPoint(transaction: previous.id, index: 0), output: output, key: key, confirmations: 1,
                isCoinbase: false, previousTransaction: previous)
        }
        let transaction = Transaction(
            version: 2, inputs: coins.map { TransactionInput(previousOutput: $0.outPoint, sequence: 0xFFFF_FFFD) },
            outputs: keys.map { TransactionOutput(amount: coins[0].output.amount, scriptPubKey: $0.scriptPubKey) },
            lockTime: 0)
        let psbt = try PSBT(transaction, spending: coins, payingTo: keys, of: accounts)
        guard case .taproot(let first) = keys[0], case .segwit(let second) = keys[1] else { return }
        #expect(
            psbt.inputs[0].map[PSBTType.Input.tapDerivation, first.internalKey] == [0] + origin(steps(86, [0, 5])))
        #expect(
            psbt.outputs[0].map[PSBTType.Output.tapDerivation, first.internalKey] == [0] + origin(steps(86, [0, 5])))
        #expect(
            psbt.inputs[1].map[PSBTType.Input.derivation, second.publicKey.encoded] == origin(steps(84, [0, 5])))
        #expect(
            psbt.outputs[1].map[PSBTType.Output.derivation, second.publicKey.encoded] == origin(steps(84, [0, 5])))
    }
}
