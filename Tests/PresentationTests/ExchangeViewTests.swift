import Terminal
import Testing
import Texts

@testable import Exchange
@testable import Presentation

@Suite("Keys of exchanges in words")
struct ExchangeViewTests {
    private let now = Moment(milliseconds: 1_700_000_000_000)
    private let width = Columns(sentences: 80, foreign: 80)

    private func report(
        _ rights: [KeyRight] = [.read, .trade], list: Bool = true, expires: Moment? = nil, window: UInt64 = 0
    ) -> PermissionReport {
        PermissionReport(
            KeyRights(
                rights: rights, unreadable: 0, isRestrictedToAddresses: list, created: now, expires: expires,
                lastUsed: nil, nonceWindow: window), at: .kraken, now: now)
    }

    private func check(_ report: PermissionReport) throws -> KeyCheckView {
        KeyCheckView(report, of: try KeyLabel("main"), time: .ofSystem)
    }

    @Test("a danger is written in capitals before every warning, and fails the command; a warning fails it if asked")
    func severities() throws {
        let view = try check(report([.read, .withdraw, .margin], list: false, window: 5))
        let lines = view.text(in: width).text(isStyled: false).split(separator: "\n")
        let marks = lines.compactMap { line in ["DANGER:", "warning:", "notice:"].first { line.hasPrefix($0) } }
        #expect(marks == ["DANGER:", "DANGER:", "warning:", "warning:", "notice:"])
        #expect(view.failure(from: .danger)?.code == .refused && view.failure(from: .danger)?.name == "dangerous_key")
        let warned = try check(report(window: 5))
        #expect(warned.failure(from: .danger) == nil)
        #expect(warned.failure(from: .warning)?.name == "key_needs_attention")
        let good = try check(report())
        #expect(good.failure(from: .warning) == nil)
        #expect(good.text(in: width).text(isStyled: false).hasSuffix("nothing to change"))
    }

    @Test("every right and finding has words for a person, and none is the name of a case")
    func words() throws {
        let rights: [KeyRight] = [
            .read, .trade, .withdraw, .transfer, .internalTransfer, .margin, .futures, .options, .portfolioMargin,
            .deposit, .earn, .export, .fixTrading, .fixReading, .unknown("enableX"),
        ]
        let view = try check(report(rights, list: false, expires: now.adding(1_000), window: 1))
        let text = view.text(in: Columns(sentences: 10_000, foreign: 10_000)).text(isStyled: false)
        for word in ["internalTransfer", "portfolioMargin", "fixTrading", "unknown("] { #expect(!text.contains(word)) }
        #expect(text.contains("enableX (a right that this version does not know)"))
        #expect(
            try check(report([.read], expires: now)).text(in: width).text(isStyled: false).contains("has expired on"))
    }

    @Test("a rotation in advance is refused for each risk that is not accepted")
    func rotation() throws {
        let label = try KeyLabel("main")
        func view(_ list: Bool, _ isProven: Bool) -> RotationView {
            RotationView(
                RotationReview(report: report(list: list), isProvenSameAccount: isProven), of: label, time: .ofSystem)
        }
        #expect(view(true, true).failure(accepting: []) == nil)
        #expect(view(false, true).failure(accepting: [.account])?.hint == "to accept this, add --accept danger")
        #expect(view(true, false).failure(accepting: [.danger])?.hint == "to accept this, add --accept account")
        #expect(view(false, false).failure(accepting: [.danger, .account]) == nil)
        #expect(view(true, false).question(in: width).text(isStyled: false).contains("warning: Kraken does not name"))
    }

    @Test("the first step is at the exchange, and the revocation is done only if the key was revoked")
    func emergency() throws {
        let label = try KeyLabel("main")
        let tombstone = Tombstone(venue: .binance, label: label, fingerprint: "ab", revoked: now)
        let revoked = EmergencyView(tombstone, nil, time: .ofSystem)
        #expect(revoked.steps.first?.name == "delete_key" && revoked.steps.last?.name == "create_key")
        #expect(revoked.steps.filter(\.done).map(\.name) == ["revoke_locally"])
        // The key's record is gone: all rights count, and no time is known.
        #expect(revoked.steps.contains { $0.name == "review_withdrawals" && $0.since == nil })
        let record = CredentialRecord(
            venue: .binance, label: label, method: .binanceHMAC, hint: "a…", fingerprint: "ab", hasPassphrase: false,
            created: now, lastUsed: nil, rights: [.read], probed: now)
        let stored = EmergencyView(record, time: .ofSystem)
        #expect(stored.steps.filter(\.done).isEmpty)
        #expect(!stored.steps.contains { $0.name == "cancel_orders" })
        #expect(stored.text.hasPrefix("what to do if the key 'main' was stolen"))
    }

    @Test("a debt has a sign, and an amount in open orders is shown")
    func balances() throws {
        let quantity = try Quantity("1.5", for: .amount)
        let balances = [
            AssetBalance(asset: "BTC", free: quantity, locked: quantity, isOwed: false),
            AssetBalance(asset: "EUR", free: quantity, locked: nil, isOwed: true),
            AssetBalance(asset: "XETH", free: quantity, locked: .zero, isOwed: false),
        ]
        let view = ExchangeBalanceView(
            AccountBalances(assets: balances, unreadable: 0), of: try KeyLabel("main"), at: .binance)
        #expect(view.text == "BTC    1.5  and 1.5 in orders\nEUR   -1.5  owed\nXETH   1.5")
    }
}
