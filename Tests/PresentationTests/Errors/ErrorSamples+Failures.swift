import Amounts
import Bitcoin
import Encoding
import Ethereum
import Exchange
import ExchangeCredentials
internal import ExchangeViews
import Foundation
import Payments
import PinnedHTTP
import SecureStorage
import SigningSession
import TestSupport
import Texts
import Wallet
internal import WalletBooks

@testable import Custody
@testable import ErrorTexts
@testable import Presentation
@testable import Terminal

extension ErrorSamples {
    /// Returns the failures in which a command shows the error.
    static func failures(of error: any Error) -> [Failure] {
        let address = "bc1qw508d6qejztdg4y5r3zarvary0c5xw7kv8f3t5"
        let file = "/share.fueki"
        var failures: [Failure] = []
        if let error = error as? any Explained { failures.append(error.failure) }
        switch error {
        case let error as BitcoinError: failures.append(error.failure(ofAddress: address))
        case let error as EthereumError: failures.append(error.failure(ofAddress: address))
        case let error as AmountError:
            failures += [.bitcoin, .ethereum(.ethereum), .ethereum(.sepolia)].map {
                error.failure(of: "--amount", on: $0)
            }
        case let error as SegwitAddress.Fault: failures += [error.failure(in: address), error.failure(in: "")]
        case let error as MessageSignerFault:
            failures += [error.failure(address: address), error.failure(address: nil)]
        case let error as MessageVerificationFault: failures.append(error.failure(address: address))
        case let error as PaymentRequestFault: failures.append(.usage(error.message))
        case let error as ShareFault: failures.append(error.failure(of: .recovery))
        case let error as ShareFileFault: failures.append(error.failure(at: "/share.fueki"))
        case let error as SecureStorageError:
            failures += [error.failure(opening: file), error.failure(making: file)]
        case let error as PaymentError:
            let reach = AddressReach(ranges: [40...50], shown: ShownAddresses())
            failures += [error.failure(ofSweep: reach, in: .btc), error.failureOfEthereumSweep]
        case let error as CredentialError: failures.append(error.failure.ofRevocation)
        case let error as ExchangeError:
            failures.append(error.failure.ofRevocation)
            if case .refused(let refusal) = error { failures.append(OrderTestView.failure(refusal)) }
            failures += orders(error)
        default: break
        }
        return failures
    }

    /// The failures of an order whose outcome has an error's reason.
    private static func orders(_ error: ExchangeError) -> [Failure] {
        let outcomes: [OrderOutcome] =
            switch error {
            case .refused(let refusal): [.refused(refusal)]
            case .mustWait(let wait): [.mustWait(wait)]
            case .transport(let failure): [.notSent(failure.reason)]
            case .unclear(let doubt): [.unknown(doubt)]
            case .unknownOrder: [.absent, .notSent(nil)]
            default: []
            }
        guard let (order, label) = try? marketOrder() else { return [] }
        let id = ClientOrderID(random: SeededRandom(seed: 1))
        return outcomes.compactMap { OrderOutcomeView(order, id, $0, by: label, earlier: false).failure }
    }

    private static func marketOrder() throws -> (Order, KeyLabel) {
        let symbol = try TradingSymbol("XBTUSD", on: .kraken)
        return (try Order(.buy, Quantity("2", for: .amount), of: symbol, .market), try KeyLabel("main"))
    }

    /// The failures about orders that have no error of a library.
    private static func orders() throws -> [Failure] {
        let (market, label) = try marketOrder()
        let order = try Order(
            .buy, market.amount, of: market.symbol, .limit(price: Quantity("30000", for: .price), .untilCancelled))
        let review = OrderReview(order, by: label)
        let limits =
            [nil, try Quantity("1", for: .amount)].map { review.failure(limit: $0) }
            + [OrderReview(market, by: label).failure(limit: nil)]
        let ids = [try ClientOrderID("3f0d5a3c-8f0e-4a68-9a3e-0c2b7f1f4d11")]
        let cancelled = [(1, []), (0, ids)].map {
            CancelledOrdersView([], unreadable: $0, mayOpen: $1, of: label, at: .kraken).failure
        }
        let planted = Planted.text("order")
        let named = [
            CancelledOrdersView.notOpen(planted, mayOpen: []), CancelledOrdersView.notOpen(planted, mayOpen: ids),
            CancelledOrdersView.ambiguous(planted, []), CancelledOrdersView.unread(.state(.damaged(.journal))),
        ]
        return (limits + cancelled).compactMap { $0 } + named
    }

    /// The failures that have no error of a library.
    static func general() throws -> [Failure] {
        let bitcoin = failure { () throws(Failure) in try ShortID.read("x", on: .bitcoin) }
        let ethereum = failure { () throws(Failure) in try ShortID.read("x", on: .ethereum(.ethereum)) }
        let noProposal = failure { () throws(Failure) in try NamedChoice<PendingProposal>.none.proposal }
        let digest = failure { () throws(Failure) in try Failure.readDigest("x") }
        let wallet = try Planted.walletName()
        let kept: [KeptProposal] = [.notKept, .waits, .failed(.custody(.badProposal))]
        let forbidden = decisions.flatMap { decision in
            kept.map { decision.failure(of: Planted.digest, in: wallet, $0, local: LocalTime(in: .gmt)) }
        }
        return try orders() + forbidden + [bitcoin, ethereum, noProposal, digest].compactMap { $0 }
            + [
                .repeated("--to"), .noTerminal(insteadUse: "--yes"), .cancelled(), .unreadable(Planted.path, 2),
                .unwritable(Planted.path, 2), .unreported(2), .stalledOutput,
                .outputExists(Planted.path), .unnamedFolder(), .declined(),
                .notRenewed(),
                .notApproved(), .notAccepted(findings, by: "--yes"),
                Failure.cancelled().naming(node: "https://" + Planted.text("node")),
                Failure.cancelled().suggestingEthereum(),
                Failure.unreported(2).ofUnreported(Planted.text("id"), isOrder: true),
                Failure.unreported(2).ofUnreported(Planted.text("id"), isOrder: false),
                BackendFault.damagedItem.failure(of: .secretService),
                PayeeFault.notAnAddress("0x" + Planted.text("payee"), .badAddress).failure,
                AmountError.otherUnit.failure(of: "--amount", on: .ethereum(try ChainID(0xB7B7))),
            ]
    }

    private static func failure<Value>(of read: () throws(Failure) -> Value) -> Failure? {
        do throws(Failure) { _ = try read() } catch { return error }
        return nil
    }
}
