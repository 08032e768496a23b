import Amounts
import Bitcoin
import HDKeys
import Payments
import Secrets
import Testing
import Texts
import Wallet

@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import ErrorTexts
@testable import Presentation

@Suite("Views")
struct ViewTests {
    @Test("a code has the same size drawn and printed, with a quiet zone of four modules", arguments: [true, false])
    func code(isStyled: Bool) throws {
        let code = try #require(QRCode("ethereum:0x52908400098527886E0F7030069857D2E4169EE7"))
        let lines = code.text(isStyled: false).text(isStyled: false).split(separator: "\n")
        let other = code.text(isStyled: isStyled).text(isStyled: false).split(separator: "\n")
        #expect(lines.count == other.count)
        #expect(Set(other.map(\.count)).count == 1)
        // Version 3 has 29 modules a side.
        #expect(other.first?.count == 29 + 2 * 4)
        // The first two lines are quiet: nothing is drawn in them where black is drawn.
        if isStyled { #expect(other.prefix(2).allSatisfy { $0.allSatisfy { $0 == " " } }) }
    }

    @Test("a share whose counts are missing is reported, and one without failed attempts is not")
    func counts() throws {
        let wallet = try WalletName("savings")
        #expect(UnfinishedAdvice.sentence(on: SigningCounts(), of: .backup, in: wallet) == nil)
        let missing = try #require(UnfinishedAdvice.sentence(on: nil, of: .backup, in: wallet))
        #expect(missing.contains("backup") && missing.hasSuffix("fueki wallet refresh savings"))
    }

    @Test("a passphrase that opens every file in its place is reported as such only if no file there has an older one")
    func unchangedPassphrase() throws {
        let wallet = try KnownWallet().record
        func text(_ obstacle: PassphraseChange.Obstacle?) -> String {
            let behind = obstacle.map { [PassphraseChange.Behind(share: wallet.shares[0], obstacle: $0)] } ?? []
            return PassphraseChangeView(
                PassphraseChange.Outcome(changed: [], behind: behind), of: wallet, book: "/book"
            ).text
        }
        for obstacle in [nil, PassphraseChange.Obstacle.missing] {
            #expect(text(obstacle).contains("opens every file"))
        }
        for obstacle in [PassphraseChange.Obstacle.readOnly, .olderCopy] {
            #expect(!text(obstacle).contains("opens every file"))
            #expect(text(obstacle).contains("may still open"))
        }
    }

    @Test("what is told on the way of a payment ends up among the warnings of its result only where it has to")
    func events() throws {
        let wallet = try WalletName("savings")
        #expect(
            PaymentEvent.handedOverEarlier(id: "ab").warning
                == "transaction ab, which was signed before, was handed to the node")
        #expect(PaymentEvent.askingForCoins.warning == nil)
        #expect(PaymentEvent.stillWaiting(seconds: 30).text(for: wallet, columns: 80) == "still waiting (30 s)")
    }

    @Test("coins from mining that cannot be spent yet have a section of their own, with the blocks that are left")
    func coins() throws {
        let seed = SecretBytes(count: 64) { memory in for index in memory.indices { memory[index] = 7 } }
        let account = try TaprootAccount(
            key: ExtendedPrivateKey(seed: seed).derive(DerivationPath("m/86'/1'/0'")).neutered(), network: .regtest)
        let key = try account.key(at: AddressPath(.receive, index: 0))
        func coin(_ index: UInt32, _ satoshis: UInt64, _ confirmations: UInt32, isMined: Bool = true) throws -> Coin {
            try Coin(
                OutPoint(transaction: TransactionID(String(repeating: "5a", count: 32)), index: index),
                output: TransactionOutput(amount: Amount(satoshis: satoshis), scriptPubKey: key.scriptPubKey),
                key: .taproot(key), confirmations: confirmations, isCoinbase: isMined)
        }
        func list(_ coins: [Coin], frozen: Set<OutPoint> = []) throws -> CoinListView {
            CoinListView(
                coins, nil, of: try WalletName("savings"), on: .regtest, frozen: frozen,
                rate: FeeRate(satoshisPerKilobyte: 1_000), unit: .btc)
        }
        let found = [
            try coin(0, 5_000_000_000, 1), try coin(1, 5_000_000_000, 99), try coin(2, 2_000, 0, isMined: false),
            try coin(3, 5_000_000_000, 100),
        ]
        let whole = try list(found, frozen: [found[0].outPoint])
        #expect(whole.coins.map(\.blocks_left) == [99, 1, nil, nil])
        let id = String(repeating: "5a", count: 32)
        #expect(
            whole.text == """
                50.00000000 BTC, taproot m/0/0, 100 confirmations
                  \(id):3
                0.00002000 BTC, taproot m/0/0, waits
                  \(id):2

                not yet spendable, 2 coins from mining:
                50.00000000 BTC, taproot m/0/0, spendable in 1 block
                  \(id):1
                50.00000000 BTC, taproot m/0/0, spendable in 99 blocks, frozen
                  \(id):0
                """, "\(whole.text)")
        #expect(try list([found[1]]).text.hasPrefix("not yet spendable, 1 coin from mining:\n"))
        #expect(try list([]).text == "no coins")
    }
}
