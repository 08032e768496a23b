import Amounts
import Bitcoin
import Curves
import Ethereum
import HDKeys
import Mnemonics
import Secrets
import Testing
import Wallet

@Suite("Documentation: keys, transactions and policies")
struct DocumentedWalletTests {
    private static let words = String(repeating: "abandon ", count: 11) + "about"

    private func account() throws -> TaprootAccount {
        let seed = SecretBytes(copying: [UInt8](repeating: 7, count: 64))
        let key = try ExtendedPrivateKey(seed: seed).derive(DerivationPath("m/86'/1'/0'")).neutered()
        return try TaprootAccount(key: key, network: .regtest)
    }

    @Test("a mnemonic becomes a seed")
    func mnemonic() throws {
        let typed = SecretBytes(copying: Array(Self.words.utf8))
        let passphrase = SecretBytes(count: 0) { _ in }
        // snippet
        let mnemonic = try Mnemonic(words: typed)
        let seed = try mnemonic.seed(passphrase: passphrase)
        // end
        #expect(seed.count == 64)
    }

    @Test("keys are derived below a seed, and addresses below a public key")
    func keys() throws {
        let seed = SecretBytes(copying: [UInt8](repeating: 7, count: 64))
        // snippet
        let master = try ExtendedPrivateKey(seed: seed)
        let account = try master.derive(DerivationPath("m/86'/0'/0'"))
        let published = account.neutered().text(on: .mainnet)
        let watched = try ExtendedPublicKey(published, on: .mainnet)
        // end
        let isSame = watched == account.neutered()
        #expect(isSame && published.hasPrefix("xpub"))
    }

    @Test("receiving addresses are listed")
    func addresses() throws {
        let key = try account().key
        // snippet
        let account = try TaprootAccount(key: key, network: .regtest)
        for index: UInt32 in 0..<3 {
            let path = try AddressPath(.receive, index: index)
            print(path, try account.address(at: path))
        }
        // end
        #expect(try account.address(at: AddressPath(.receive, index: 0)).description.hasPrefix("bcrt1p"))
    }

    private func plan() throws -> SpendPlan {
        let account = try account()
        let funding = try TransactionID(String(repeating: "03", count: 32))
        let recipient = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
        let random = SystemRandom()
        // snippet
        let received = try account.key(at: AddressPath(.receive, index: 0))
        let coin = try Coin(
            OutPoint(transaction: funding, index: 0),
            output: TransactionOutput(amount: Amount(bitcoins: "0.5"), scriptPubKey: received.scriptPubKey),
            key: .taproot(received), confirmations: 6)
        let payee = SpendOrder.Recipient(
            try Address(recipient).require(.regtest), .exactly(try Amount(bitcoins: "0.1")))
        let order = SpendOrder(
            paying: [payee], from: [coin], feeRate: FeeRate(satoshisPerKilobyte: 5_000),
            feeCeiling: try Amount(satoshis: 10_000),
            change: .taproot(try account.key(at: AddressPath(.change, index: 0))), blockHeight: nil)
        let ownership = try Ownership(of: BitcoinAccounts(taproot: account))
        let plan = try SpendPlan(order, for: ownership, seed: random.publicBytes(count: 32))
        // end
        return plan
    }

    @Test("a PSBT is built, written, read and judged")
    func psbt() throws {
        let plan = try plan()
        let account = try account()
        // snippet
        let file = plan.psbt.file(as: .base64)
        let psbt = try PSBT(file)
        let summary = SpendSummary(of: psbt, for: try Ownership(of: BitcoinAccounts(taproot: account)))
        print("pays \(summary.paid), fee \(summary.fee.map(\.description) ?? "unknown")")
        for refusal in summary.refusals { print("must not be signed: \(refusal)") }
        // end
        #expect(summary.refusals.isEmpty && summary.paid.satoshis == 10_000_000)
    }

    @Test("an Ethereum transaction is made and signed")
    func ethereum() throws {
        let key = SecretScalar<Secp256k1>(from: SystemRandom())
        let sender = EthereumAddress(publicKey: key.timesGenerator())
        // snippet
        let transaction = try EthereumTransaction(
            chainID: .sepolia, nonce: 0, gasLimit: 21_000,
            to: try EthereumAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), value: try Wei("0.1eth"), data: [],
            kind: .dynamicFee(
                .init(maxPriorityFeePerGas: try Wei("1gwei"), maxFeePerGas: try Wei("30gwei")), []))
        let signed = try SignedEthereumTransaction.sign(transaction, key: key, sender: sender)
        let forNode = signed.encoded
        // end
        #expect(try SignedEthereumTransaction(decoding: forNode).sender == sender)
    }

    @Test("a policy decides on the effects of a transaction")
    func policy() throws {
        let psbt = try plan().psbt
        let account = try account()
        let now: UInt64 = 1_800_000_000
        // snippet
        let work = try SigningWork(of: .bitcoinTransaction(psbt), for: Accounts(taproot: account))
        for effect in work.intent.effects { print(effect) }
        let decision = Policy.standard.decide(on: work.intent, in: .unknown(now: now))
        for finding in decision.findings { print(finding.verdict, finding.reason) }
        // end
        #expect(!decision.findings.isEmpty)
    }
}
