internal import ExchangeViews
import Terminal
import Testing
import Texts
import Time

@testable import ErrorTexts
@testable import Exchange
@testable import ExchangeCredentials
@testable import ExchangeViews

@Suite("Keys of exchanges in words")
struct ExchangeViewTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)
    private let width = Columns(sentences: 80, foreign: 80)

    private func report(
        _ rights: [KeyRight] = [.read, .trade], list: Bool = true, expires: Timestamp? = nil, window: UInt64 = 0
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
        let view = try check(report(rights, list: false, expires: now.adding(.seconds(1)), window: 1))
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
        let assets = [
            AssetBalance(asset: "BTC", free: quantity, locked: quantity, isOwed: false),
            AssetBalance(asset: "EUR", free: quantity, locked: nil, isOwed: true),
            AssetBalance(asset: "XETH", free: quantity, locked: .zero, isOwed: false),
        ]
        func text(_ assets: [AssetBalance], _ unreadable: Int) throws -> String {
            ExchangeBalanceView(
                AccountBalances(assets: assets, unreadable: unreadable), of: try KeyLabel("main"), at: .binance
            ).text
        }
        #expect(try text(assets, 0) == "BTC    1.5  and 1.5 in orders\nEUR   -1.5  owed\nXETH   1.5")
        let one = "and one entry that this version cannot read: the exchange's page shows it"
        #expect(try text(assets, 1).hasSuffix("\nXETH   1.5\n\(one)"))
        #expect(try text([], 2) == "and 2 entries that this version cannot read: the exchange's page shows them")
        #expect(try text([], 0) == "no balances")
    }

    // MARK: Orders

    private func order(_ kind: Order.Kind = .market) throws -> Order {
        try Order(.buy, Quantity("2", for: .amount), of: TradingSymbol("XBTUSD", on: .kraken), kind)
    }

    @Test("the review of an order names its price, and warns of an order without one")
    func review() throws {
        let limit = try Quantity("30000", for: .price)
        func text(_ kind: Order.Kind) throws -> String {
            OrderReview(try order(kind), by: try KeyLabel("main")).text(in: width).text(isStyled: false)
        }
        #expect(try text(.market).contains("no limit"))
        #expect(try text(.limit(price: limit, .untilCancelled)).contains("at most 30000"))
        #expect(try text(.limit(price: limit, .immediateOrCancel)).contains("the rest is cancelled"))
    }

    @Test(
        "without a question only an order with a price is placed, with an amount within the limit of the market",
        arguments: ["2", "2.5"])
    func limit(text: String) throws {
        let price = Order.Kind.limit(price: try Quantity("30000", for: .price), .untilCancelled)
        let review = OrderReview(try order(price), by: try KeyLabel("main"))
        #expect(review.failure(limit: try Quantity(text, for: .amount)) == nil)
        #expect(review.failure(limit: try Quantity("1.999999999999999999", for: .amount))?.name == "above_order_limit")
        #expect(review.failure(limit: nil)?.name == "no_order_limit")
        let market = OrderReview(try order(.market), by: try KeyLabel("main"))
        #expect(market.failure(limit: try Quantity(text, for: .amount))?.name == "no_order_price")
    }

    @Test("only an order that the exchange has is a result, and an unknown one says that it may be there")
    func outcomes() throws {
        let id = try ClientOrderID("3f0d5a3c-8f0e-4a68-9a3e-0c2b7f1f4d11")
        func view(
            _ outcome: OrderOutcome, earlier: Bool = false, hasCallersID: Bool = false
        ) throws -> OrderOutcomeView {
            OrderOutcomeView(
                try order(), id, outcome, by: try KeyLabel("main"), earlier: earlier, hasCallersID: hasCallersID)
        }
        let placed = try #require(PlacedOrder(id: id, exchangeID: "OA-B", status: .open, filled: .zero))
        #expect(try view(.placed(placed, .answer)).failure == nil)
        #expect(try view(.placed(placed, .answer)).text.contains("Kraken has the order OA-B"))
        #expect(try view(.placed(placed, .journal), earlier: true).text.contains("give the command again"))
        // The same command with the same id places nothing again.
        let known = OrderOutcome.placed(placed, .journal)
        #expect(
            try known.isKnownFromJournal && view(known, earlier: true, hasCallersID: true).text.contains("another id"))
        #expect(!OrderOutcome.placed(placed, .query).isKnownFromJournal)
        #expect(try view(.unknown(.exchange)).failure?.message.hasPrefix("the order may be at the exchange") == true)
        for outcome in [
            OrderOutcome.absent, .notSent(nil), .refused(Refusal(reason: .funds, code: "1")), .unknown(.exchange),
        ] {
            #expect(try view(outcome).failure?.details != nil)
        }
    }

    @Test("a cancelled order is told with its filled amount, and one that may be open fails the command")
    func cancelled() throws {
        let listed = ListedOrder(
            exchangeID: "OA-B", clientID: nil, symbol: try TradingSymbol("XBTUSD", on: .kraken), side: .buy,
            type: "limit", amount: try Quantity("2", for: .amount), price: nil, created: nil,
            state: ListedOrder.State(status: .open, filled: .zero))
        let half = ListedOrder.State(status: .ended, filled: try Quantity("1", for: .amount))
        func view(_ outcome: CancelOutcome, unreadable: Int = 0) throws -> CancelledOrdersView {
            CancelledOrdersView(
                [CancelledOrder(order: listed, outcome: outcome)], unreadable: unreadable, mayOpen: [],
                of: try KeyLabel("main"), at: .kraken)
        }
        #expect(try view(.closed(half)).text == "OA-B of XBTUSD: cancelled, after 1 of 2 was filled")
        #expect(try view(.notTried).text == "OA-B of XBTUSD: not tried, and as it was")
        #expect(try view(.closed(half)).failure == nil)
        #expect(try view(.closed(half), unreadable: 1).failure?.name == "not_cancelled")
        for outcome in [
            CancelOutcome.pending(half), .accepted, .unknown(.exchange), .notTried,
            .refused(Refusal(reason: .other, code: "1")),
        ] {
            #expect(try view(outcome).failure?.name == "not_cancelled")
        }
    }

    @Test("without open orders, an order of this machine that may still open fails the command, with its id")
    func mayOpen() throws {
        let id = try ClientOrderID("3f0d5a3c-8f0e-4a68-9a3e-0c2b7f1f4d11")
        let view = CancelledOrdersView([], unreadable: 0, mayOpen: [id], of: try KeyLabel("main"), at: .kraken)
        #expect(view.text == "no open orders\n\(id): an order of this machine, may still open")
        #expect(view.failure?.name == "order_may_open")
        #expect(view.failure?.message.contains(id.description) == true)
        #expect(CancelledOrdersView.notOpen("28", mayOpen: [id]).message.contains(id.description))
    }
}
