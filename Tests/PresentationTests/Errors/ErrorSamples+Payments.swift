import Amounts
import Bitcoin
import Custody
import DisplayText
import Ethereum
import HDKeys
import Nodes
import PinnedHTTP
import SigningSession

@testable import Payments
@testable import Presentation
@testable import Wallet

extension ErrorSamples {
    static func duplicates() throws -> [DuplicatePaymentFault] {
        let key = try PaymentKey(Planted.key)
        return [
            .rehearsal(id: Planted.id),
            .unexpected(id: Planted.id, digest: Planted.digest, isAboveCeiling: false),
            .unexpected(id: Planted.id, digest: Planted.digest, isAboveCeiling: true),
            .cancelled(key, by: Planted.id), .cancellationUnclear(key, by: Planted.id),
            .cancellationUnclear(key, by: nil), .cancellationUnclear(nil, by: Planted.id),
            .cancellationUnclear(nil, by: nil), .attemptUnclear(id: Planted.id), .unclear(id: Planted.id),
            .rivalsWait([Planted.id]), .rivalsWait([Planted.id, Planted.otherID]),
            .signedBefore(key, id: Planted.id), .unfinished(spending: [try Planted.coin()]), .unfinishedNonce(7),
        ]
    }

    static let replacements: [ReplacementFault] = [
        .notOurs, .mined(id: Planted.id, height: 800_000), .replaced(id: Planted.id, by: Planted.otherID),
        .unknown(id: Planted.id), .otherChain(id: Planted.id, .bitcoin(.mainnet)),
        .otherChain(id: Planted.id, .ethereum(.sepolia)),
    ]

    static func deliveries() throws -> [DeliveryFault] {
        let chains: [Chain] = [.bitcoin(.mainnet), .ethereum(.ethereum)]
        let notSent: [DeliveryFault] = nodeErrors.flatMap { error in
            chains.flatMap { chain in
                [true, false].map { .notSent(id: Planted.id, chain, error, isRefused: $0) }
            }
        }
        let lost: [DeliveryFault] = nodeErrors.map { .lostSight(id: Planted.id, .failed(.node($0))) }
        return notSent + lost + [
            .lostSight(id: Planted.id, .interrupted), .lostSight(id: Planted.id, .failed(.custody(.badProposal))),
            .notShown(id: Planted.id), .reverted(id: Planted.id, height: 800_000, fee: nil, nil),
            .reverted(id: Planted.id, height: 800_000, fee: Wei(UInt256(1)), .ethereum),
            .cancelled(id: Planted.id, by: Planted.otherID, height: 800_000),
            .cancellationTooLate(id: Planted.id, by: Planted.otherID, height: 800_000),
            .minedInstead(id: Planted.id, by: Planted.otherID, height: 800_000), .replacedByUnknown(id: Planted.id),
            .spentByUnknown(id: Planted.id), .otherTransaction,
        ]
    }

    static func nonces() throws -> [NonceFault] {
        let unsent = UnsentTransaction(
            id: Planted.id, nonce: 7,
            intent: Intent(
                chain: .ethereum(.ethereum), effects: [.nothing], highestFee: nil, findings: [],
                digest: Planted.digest), contacts: [])
        return [
            .used(7, next: 8), .behindRefused(7, first: 6, id: Planted.id), .ahead(9, next: 7),
            .taken(7, id: Planted.id), .proposalTaken(7, id: Planted.id), .unsettled(id: nil, reason: nil),
            .unsettled(id: Planted.id, reason: nil), .unsent(unsent),
        ] + nodeErrors.map { .unsettled(id: Planted.id, reason: $0) }
    }

    static func payments() throws -> [any Error] {
        let (account, coin) = (try Planted.account(), try Planted.coin())
        let all = Wei(UInt256(30_000_000_000))
        let tokens: [TokenFault] = [
            .noContract(account), .noDecimals(account), .noBalance(account),
            .otherDecimals(account, told: 6, known: 18),
            .insufficient(held: UInt256(1), amount: UInt256(2), .none),
        ]
        let gas: [GasFault] = [
            .wouldFail(Planted.words), .heldAboveCeiling,
            .priceAboveCeiling(.feeAboveCeiling(Planted.words), gas: 21000, highest: all, beside: all, .ethereum),
            .priceAboveCeiling(.feeAboveCeiling(Planted.words), gas: 21000, highest: all, beside: .zero, .ethereum),
        ]
        let addresses: [AddressFault] = [
            .noFreshChange(scanned: 20), .allPaid(below: 20), .allPaid(below: .max), .allShown,
            .paidTwice(try Address<Unchecked>("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4").require(.mainnet)),
        ]
        let sweeps: [SweepFault] = [
            .noCoins, .importedWallet, .sameAccount(account), .transactionsWait(account),
            .onlyFee(account, all, .ethereum),
            .interrupted(sent: [try Planted.transaction()], .node(.untrusted(.expired))),
        ]
        let errors: [PaymentError] =
            nodeErrors.map { .node($0) } + [.custody(.badProposal)] + (try planRefusals().map { .plan($0) })
            + ledgerFaults.map { .ledger($0) } + (try duplicates().map { .duplicate($0) })
            + replacements.map { .replacement($0) } + (try deliveries().map { .delivery($0) })
            + (try nonces().map { .nonce($0) }) + tokens.map { .token($0) } + gas.map { .gas($0) }
            + [.coin(.frozen(coin)), .coin(.unknown(coin))] + addresses.map { .address($0) }
            + sweeps.map { .sweep($0) } + (try payeeFaults().map { .payee($0) })
            + [.closed, .rehearsal].map { .flow($0) }
        let signing: [SigningError] = [.custody(.badProposal)] + [.closed, .rehearsal].map { .flow($0) }
        return errors + signing
    }

    static func payeeFaults() throws -> [PayeeFault] {
        let text = Planted.text("payee")
        let bitcoin = bitcoinErrors.map { PayeeFault.notAnAddress(text, $0) }
        let amounts: [PayeeFault] = [AmountError.malformed, .outOfRange, .otherUnit].flatMap { error in
            [ChainName.bitcoin, .ethereum(.ethereum), .ethereum(.sepolia)].map { .badAmount(error, on: $0) }
        }
        return bitcoin + amounts + [
            .otherNetwork(Network.allCases, wallet: .mainnet), .malformedAccount("0x" + text), .badChecksum(text),
            .noSuchContact(Planted.contact), .noAddress(contact: Planted.contact, on: .bitcoin(.mainnet)),
            .noAddress(contact: Planted.contact, on: .ethereum(.ethereum)), .noAccount(contact: Planted.contact),
            .badTokenAmount(symbol: Planted.text("symbol"), .ether), .badTokenAmount(symbol: "", .ether),
            .allOnEthereum,
        ]
    }

    static func requests() throws -> [any Error] {
        let requests: [PaymentRequestFault] =
            [
                .nobody, .amountForSeveral([Planted.text("one"), Planted.text("two"), Planted.text("three")]),
                .amountMissing, .amountMissingOf(Planted.text("payee")), .amongOthers, .amountTwice, .noAmount,
                .forBitcoin, .forChain(.sepolia, chosen: nil), .forChain(.sepolia, chosen: .ethereum),
                .forToken(try Planted.account()), .forCoins,
            ] + bitcoinErrors.map { .bitcoin($0) } + ethereumErrors.map { .ethereum($0) }
        let signers: [MessageSignerFault] =
            [.accountForBitcoin, .notOurs(try Planted.walletName()), .custody(.badProposal)]
            + bitcoinErrors.map { .bitcoinAddress($0) } + ethereumErrors.map { .account($0) }
            + keyErrors.map { .key($0) }
        let ranges: [HistoryRangeFault] = [.noEntries, .malformedStart]
        return requests + signers + ranges + (try payeeFaults())
    }
}
