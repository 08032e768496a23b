internal import Amounts
internal import Bitcoin
internal import Ethereum
import Foundation
internal import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

/// A wallet of known keys with one share on the disk, and the path of its book.
struct BookFixture: ~Copyable {
    let fixture: WalletHomeFixture
    let wallet: WalletRecord

    init(_ known: KnownWallet? = nil) throws {
        let fixture = try WalletHomeFixture()
        wallet = try fixture.sealDeviceShare(of: try known ?? KnownWallet())
        self.fixture = fixture
    }

    var path: String { fixture.home.bookPath(of: wallet.name) }
    var seen: String { fixture.home.bookRollbackGuard(of: wallet.name) }

    borrowing func open(_ passphrase: String = WalletHomeFixture.passphrase) async throws(CustodyError) -> WalletBook {
        try await WalletBook.open(
            of: wallet, in: fixture.home, passphrase: secret(passphrase), random: SystemRandom())
    }

    /// Opens the book with a policy of these rules.
    borrowing func open(rules: String, approvers: String = "{}") async throws -> WalletBook {
        let book = try await open()
        try await book.setPolicy(Self.policy(rules, approvers: approvers))
        return book
    }

    static func policy(_ rules: String, approvers: String = "{}") -> [UInt8] {
        let file = """
            {"version": 1, "approvers": \(approvers),
             "assets": {"USDC": {"chain": "ethereum:1", "contract": "\(Order.token)", "decimals": 6}},
             "rules": [\(rules)]}
            """
        return Array(file.utf8)
    }

    /// Returns a rule with a daily limit of an asset, and one for everything that pays nothing.
    static func daily(_ amount: String) -> String {
        """
        {"name": "a day", "if": {"spent_at_most": {"amount": "\(amount)", "within": "24h"}}, "then": "allow"},
        {"name": "nothing", "if": {"effect": "nothing"}, "then": "allow"}
        """
    }

    /// Replaces an item in the book's file, which an attacker with the passphrase could do.
    borrowing func forge(_ account: String, _ bytes: [UInt8]) async throws {
        let vault = try VaultFile.open(
            at: path, passphrase: secret(WalletHomeFixture.passphrase),
            freshness: .guarded(by: BookRollbackGuard(path: seen)), random: SystemRandom())
        try await vault.save(
            secret(bytes), as: ItemName(service: "fueki.book", account: account), attributes: .sensitive(.other))
        await vault.close()
    }
}

/// Payloads to sign.
enum Order {
    static let noon: UInt64 = 1_700_000_000
    static let bob = address(0xB0)
    static let mallory = address(0x66)
    static let token = address(0xA0)
    static let tenth = UInt256(100_000_000_000_000_000)

    static func address(_ byte: UInt8) -> EthereumAddress {
        guard let address = try? EthereumAddress(bytes: [UInt8](repeating: byte, count: 20)) else {
            preconditionFailure("an address has 20 bytes")
        }
        return address
    }

    /// A payment of this many tenths of an ether.
    static func ether(
        _ tenths: UInt64, to recipient: EthereumAddress = bob, nonce: UInt64, fee: UInt64 = 10,
        on chain: ChainID = .ethereum, account: UInt32 = 0, data: [UInt8] = []
    ) throws -> SigningPayload {
        let value = try tenth.multiplied(by: UInt256(tenths))
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(UInt256(fee)))
        return .ethereumTransaction(
            try EthereumTransaction(
                chainID: chain, nonce: nonce, gasLimit: 100_000, to: recipient, value: Wei(value), data: data,
                kind: .dynamicFee(fees, [])), account: account)
    }

    /// A payment of nothing to the account itself.
    static func cancellation(of nonce: UInt64, by wallet: WalletRecord) throws -> SigningPayload {
        guard let account = try wallet.accounts.ethereum?.key(at: 0).address else {
            throw CustodyError.malformedRecord
        }
        return try ether(0, to: account, nonce: nonce, fee: 20)
    }

    /// Returns a payment to Bob from these outputs of 100,000 satoshi each; the rest, less the fee, is change.
    static func bitcoin(
        _ satoshis: UInt64, from wallet: WalletRecord, spending numbers: [Int], fee: UInt64 = 1_000,
        to script: ScriptPubKey = Payment.bob, times count: Int = 1
    ) throws -> SigningPayload {
        let account = try wallet.account
        let own = try account.key(at: AddressPath(.receive, index: 0)).scriptPubKey
        let change = try account.key(at: AddressPath(.change, index: 0)).scriptPubKey
        let rest = UInt64(numbers.count) * 100_000 - satoshis * UInt64(count) - fee
        let output = TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: script)
        let transaction = Transaction(
            version: 2,
            inputs: try numbers.map {
                TransactionInput(
                    previousOutput: OutPoint(
                        transaction: try TransactionID(String(repeating: "77", count: 32)), index: UInt32($0)),
                    sequence: 0xFFFF_FFFD)
            },
            outputs: [TransactionOutput](repeating: output, count: count) + [
                TransactionOutput(amount: try Amount(satoshis: rest), scriptPubKey: change)
            ], lockTime: 0)
        return .bitcoinTransaction(
            try PSBT(
                transaction,
                previousOutputs: numbers.map { _ in
                    TransactionOutput(amount: try Amount(satoshis: 100_000), scriptPubKey: own)
                }))
    }
}

extension WalletBook {
    nonisolated func meaning(of payload: SigningPayload) throws(CustodyError) -> Intent {
        do { return try SigningWork(of: payload, for: accounts).intent } catch { throw .wallet(.key(error)) }
    }

    /// Admits the intent that a participant decodes from the payload.
    ///
    /// - Returns: its digest.
    @discardableResult
    func admit(
        _ payload: SigningPayload, at now: UInt64 = Order.noon, approvals: [Approval] = []
    ) async throws(CustodyError) -> [UInt8] {
        let intent = try meaning(of: payload)
        try await admit(payload, meaning: intent, in: SigningContext(now: now, approvals: approvals))
        return intent.digest
    }

    /// Returns the policy's refusal; nil if the payload is admitted.
    func verdict(
        on payload: SigningPayload, at now: UInt64 = Order.noon, approvals: [Approval] = []
    ) async throws(CustodyError) -> Decision.Verdict? {
        do throws(CustodyError) {
            try await admit(payload, at: now, approvals: approvals)
            return nil
        } catch .ceremony(.forbidden(let decision)) {
            return decision.verdict
        }
    }

    func shrink(entries: Int) { room.entries = entries }
    func shrink(bytes: Int) { room.bytes = bytes }
}
