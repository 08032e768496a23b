import Amounts
import Bitcoin
import Custody
import HDKeys
import Nodes
import PaymentHistory
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// What a wallet has paid, and what others have paid to it.
@Suite("A history on Bitcoin", .timeLimit(.minutes(20)))
struct BitcoinHistoryTests {
    /// The time of a block of the scripted chain.
    private static func time(_ height: UInt64) -> UInt64 { 1_700_000_000 + 600 * height }

    private func history(_ home: TestHome, _ flow: SigningFlow, _ chain: ScriptedChain) async throws -> BitcoinHistory {
        try await BitcoinRefresh(flow.book, at: chain).run()
        let reach = AddressReach(shown: home.home.shownAddresses(of: home.wallet))
        return try await BitcoinHistory(of: home.wallet, flow.book, at: chain, reach: reach)
    }

    private func pay(
        _ satoshis: UInt64, _ flow: SigningFlow, _ chain: ScriptedChain
    ) async throws -> DeliveredBitcoinPayment {
        try #require(
            try await BitcoinPayments(flow, at: chain).pay(try Bob.order(satoshis), fee: .test) { _ in true })
    }

    @Test("incoming payments have amount, confirmations and time, also when they are spent; own ones their fee as well")
    func whole() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let spent = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let paid = try await pay(30_000, flow, chain)
        let waiting = try await history(home, flow, chain)
        #expect(waiting.records.map(\.id) == [paid.transaction.id, spent.transaction])
        #expect(waiting.records.map(\.status) == [.waiting, .mined(height: 191, confirmations: 10)])
        #expect(waiting.records.map(\.time) == [nil, Self.time(191)])

        chain.mine()
        let coming = try chain.pay(try home.script(1), 250_000)
        let all = try await history(home, flow, chain)
        #expect(all.records.map(\.id) == [coming.transaction, paid.transaction.id, spent.transaction])
        #expect(all.records.map(\.confirmations) == [0, 1, 11])
        #expect(all.records.map(\.height) == [nil, 201, 191])
        #expect(all.records.map(\.time) == [nil, Self.time(201), Self.time(191)])
        let fee = try #require(all.records[1].fee)
        #expect(paid.fee?.uint64 == fee.satoshis)
        #expect(all.records[0].fee == nil && all.records[2].fee == nil)
        #expect(all.records[0].kind == .incoming(try Amount(satoshis: 250_000)))
        #expect(all.records[2].kind == .incoming(try Amount(satoshis: 100_000)))
        guard case .own(let entry) = all.records[1].kind else {
            Issue.record("\(all.records[1])")
            return
        }
        #expect(entry.digest == paid.digest && all.unseen == 0 && all.unlisted.isEmpty)
        await flow.close()
    }

    @Test("a payment whose transaction the node no longer shows is counted, and nothing is guessed")
    func unseen() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let spent = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        _ = try await pay(30_000, flow, chain)
        chain.mine()
        chain.prune(spent.transaction)
        let history = try await history(home, flow, chain)
        #expect(history.records.count == 1 && history.unseen == 1)
        await flow.close()
    }

    @Test("a node that pays thousands of blocks apart is asked for the times of the newest only")
    func bounds() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for _ in 0..<20 { chain.mine() }
        for number in 0..<205 as Range<UInt32> {
            _ = try chain.fund(try home.script(number % 50), 10_000 + UInt64(number), confirmations: number + 1)
        }
        let flow = try await home.flow()
        let history = try await history(home, flow, chain)
        #expect(history.records.count == 205 && chain.times == 200)
        #expect(history.records.prefix(200).allSatisfy { $0.time != nil })
        #expect(history.records.dropFirst(200).allSatisfy { $0.time == nil })
        await flow.close()
    }

    @Test("transactions that a node's list omits are counted, and an incomplete list is reported")
    func leftOut() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain(hasRecord: true)
        for number in 0..<5 as Range<UInt32> {
            let coin = try chain.fund(try home.script(number), 10_000, confirmations: number + 1)
            chain.take(coin)
        }
        let flow = try await home.flow()
        let whole = try await history(home, flow, chain)
        #expect(whole.records.count == 5 && whole.unseen == 0 && whole.crowded.isEmpty)
        chain.cut(to: 3)
        let history = try await history(home, flow, chain)
        #expect(history.records.map(\.confirmations) == [1, 2, 3] && history.unseen == 2)
        #expect(history.crowded.map(\.scriptPubKey) == [try home.script()])
        await flow.close()
    }

    @Test("only the newest payments are listed when there are more than the limit; the others are counted")
    func looks() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain(hasRecord: true)
        for _ in 0..<20 { chain.mine() }
        for number in 0..<205 as Range<UInt32> {
            chain.take(
                try chain.fund(try home.script(number % 20), 10_000 + UInt64(number), confirmations: 205 - number))
        }
        let flow = try await home.flow()
        let history = try await history(home, flow, chain)
        #expect(history.records.map(\.confirmations) == Array(1...200) && history.unseen == 5)
        await flow.close()
    }

    /// A stranger's payment to the wallet, which spends coins that no node shows.
    private func foreign(
        _ number: UInt8, to script: ScriptPubKey, inputs: UInt8 = 1, padding: Int = 0
    ) throws -> Transaction {
        let sources = try (0..<inputs).map { input in
            let id = [number, input, 0xEE].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return OutPoint(transaction: try TransactionID(id + String(repeating: "0", count: 58)), index: 0)
        }
        let outputs = [script] + (padding == 0 ? [] : [ScriptPubKey([UInt8](repeating: 0x6A, count: padding))])
        return Transaction(
            version: 2, inputs: sources.map { TransactionInput(previousOutput: $0, sequence: 0) },
            outputs: try outputs.map { TransactionOutput(amount: try Amount(satoshis: 1_000), scriptPubKey: $0) },
            lockTime: 0)
    }

    @Test("a node that sends huge transactions is asked for no more of them, and the others are counted")
    func huge() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain(hasRecord: true)
        for number in 0..<6 as Range<UInt8> {
            chain.include(try foreign(number, to: try home.script(), padding: 3_900_000))
        }
        let flow = try await home.flow()
        let history = try await history(home, flow, chain)
        #expect(history.records.count == 5 && history.unseen == 1)
        await flow.close()
    }

    @Test("dust of many inputs at change addresses does not make the wallet ask for all of them")
    func dust() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain(hasRecord: true)
        for number in 0..<15 as Range<UInt8> {
            chain.include(try foreign(number, to: try home.script(0, .change), inputs: 30))
        }
        let flow = try await home.flow()
        let history = try await history(home, flow, chain)
        #expect(history.records.count == 15 && chain.requests == 15 + 200)
        await flow.close()
    }

    @Test("each received output has its address, amount and path; a node without a record of spent coins says so")
    func receipts() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(3), 250_000)
        let flow = try await home.flow()
        let history = try await history(home, flow, chain)
        let record = try #require(history.records.first)
        let receipt = try #require(record.receipts.first)
        #expect(record.receipts.count == 1 && receipt.path.description == "m/0/3")
        #expect(receipt.address.scriptPubKey == (try home.script(3)))
        #expect(receipt.amount == (try Amount(satoshis: 250_000)) && !history.listsSpent)
        #expect(history.records.foreign.named(try #require(ShortID(record.id.description))).count == 1)
        await flow.close()
    }

    @Test("an explorer lists what was received and spent on another machine; the change of that spending is no income")
    func elsewhere() async throws {
        for hasRecord in [true, false] {
            let home = try await TestHome()
            let chain = ScriptedChain(hasRecord: hasRecord)
            let received = try chain.fund(try home.script(), 100_000)
            // Its book is lost, as on a machine that is gone.
            let other = try await home.flow()
            let paid = try await pay(30_000, other, chain)
            chain.mine()
            await other.close()
            try home.loseBook()
            let flow = try await home.flow()
            let history = try await history(home, flow, chain)
            #expect(history.listsSpent == hasRecord)
            if hasRecord {
                #expect(history.records.map(\.id) == [paid.transaction.id, received.transaction])
                let fee = try #require(paid.fee?.uint64)
                #expect(
                    history.records.map(\.kind) == [
                        .elsewhere(
                            spent: try Amount(satoshis: 100_000), received: try Amount(satoshis: 70_000 - fee)),
                        .incoming(try Amount(satoshis: 100_000)),
                    ])
            } else {
                #expect(history.records.map(\.id) == [paid.transaction.id])
                // The change is no income, also where the funding transaction can no longer be shown.
                let fee = try #require(paid.fee?.uint64)
                let change = try Amount(satoshis: 70_000 - fee)
                #expect(
                    history.records.map(\.kind) == [.elsewhere(spent: try Amount(satoshis: 100_000), received: change)])
                chain.prune(received.transaction)
                let poor = try await self.history(home, flow, chain)
                #expect(poor.records.map(\.kind) == [.elsewhere(spent: .zero, received: change)])
            }
            await flow.close()
        }
    }

    @Test("change of a payment that spends this book's change, signed on another machine, is no income")
    func changeOfChange() async throws {
        for hasRecord in [true, false] {
            let home = try await TestHome()
            let chain = ScriptedChain(hasRecord: hasRecord)
            let received = try chain.fund(try home.script(), 100_000)
            let flow = try await home.flow()
            let paid = try await pay(30_000, flow, chain)
            chain.mine()
            await flow.close()
            try home.putAside()
            let other = try await home.flow()
            let later = try await pay(20_000, other, chain)
            chain.mine()
            await other.close()
            try home.takeBack()

            let again = try await home.flow()
            let history = try await history(home, again, chain)
            #expect(history.records.map(\.id) == [later.transaction.id, paid.transaction.id, received.transaction])
            let (first, second) = (try #require(paid.fee?.uint64), try #require(later.fee?.uint64))
            #expect(
                history.records.first?.kind
                    == .elsewhere(
                        spent: try Amount(satoshis: 70_000 - first),
                        received: try Amount(satoshis: 50_000 - first - second)))
            await again.close()
        }
    }

    @Test("change of what an imported document has as signed is no income, and is not listed twice")
    func archived() async throws {
        for hasRecord in [true, false] {
            let home = try await TestHome()
            let chain = ScriptedChain(hasRecord: hasRecord)
            let received = try chain.fund(try home.script(), 100_000)
            let other = try await home.flow()
            let paid = try await pay(30_000, other, chain)
            chain.mine()
            let document = await other.book.export(now: 1_700_000_000)
            let later = try await pay(20_000, other, chain)
            chain.mine()
            await other.close()
            try home.loseBook()
            let flow = try await home.flow()
            try await flow.book.run(try await flow.book.merge(document), of: document, adding: [])
            let history = try await history(home, flow, chain)
            #expect(
                history.records.map(\.id) == [later.transaction.id] + (hasRecord ? [received.transaction] : []))
            guard case .elsewhere(let spent, _)? = history.records.first?.kind else {
                Issue.record("\(history.records)")
                return
            }
            #expect(spent == (try Amount(satoshis: 70_000 - (try #require(paid.fee?.uint64)))))

            // The node shows no transaction before: what comes back is no income anyway.
            chain.prune(paid.transaction.id)
            let poor = try await self.history(home, flow, chain)
            guard case .elsewhere(.zero, _)? = poor.records.first?.kind else {
                Issue.record("\(poor.records)")
                return
            }
            await flow.close()
        }
    }

    @Test("an imported document that names an incoming payment as signed does not hide it")
    func manipulated() async throws {
        for hasRecord in [true, false] {
            let home = try await TestHome()
            let chain = ScriptedChain(hasRecord: hasRecord)
            _ = try chain.fund(try home.script(), 100_000)
            let other = try await home.flow()
            let paid = try await pay(30_000, other, chain)
            let coming = try chain.fund(try home.script(1), 250_000)
            let text = String(decoding: await other.book.export(now: 1_700_000_000).encoded, as: UTF8.self)
            await other.close()
            try home.loseBook()
            let document = try BookExport(
                decoding: Array(
                    text.replacing(paid.transaction.id.description, with: coming.transaction.description).utf8))
            let flow = try await home.flow()
            try await flow.book.run(try await flow.book.merge(document), of: document, adding: [])
            #expect(await flow.book.archive().compactMap(\.id) == [coming.transaction.description])
            let history = try await history(home, flow, chain)
            #expect(history.records.foreign.map(\.id).contains(coming.transaction))
            await flow.close()
        }
    }

    @Test("a node that fails after it told of what was sent leaves that in the answer, with its failure")
    func failure() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        _ = try await pay(30_000, flow, chain)
        chain.mine()
        chain.leave()
        let refresh = HistoryRefresh(
            flow.book, of: home.wallet, reach: AddressReach(shown: home.home.shownAddresses(of: home.wallet)))
        let answer = await refresh.ask(.bitcoin(chain), withReceived: true)
        #expect(answer.problem == .node(.unreachable(.notConnected)) && answer.bitcoin == nil && answer.newest == 201)
        #expect(await flow.book.history().map(\.state) == [.mined(height: 201)])
        // Without the payments of others it has nothing to refuse.
        let sent = await refresh.ask(.bitcoin(chain), withReceived: false)
        #expect(sent.problem == nil && sent.bitcoin == nil)
        await flow.close()
    }

    @Test("Bitcoin is asked for the payments of others when nothing is open there, and not without them")
    func chains() async throws {
        let home = try await TestHome()
        let flow = try await home.flow()
        let refresh = HistoryRefresh(
            flow.book, of: home.wallet, reach: AddressReach(shown: home.home.shownAddresses(of: home.wallet)))
        #expect(await refresh.chains(withReceived: true) == [.bitcoin])
        #expect(await refresh.chains(withReceived: false).isEmpty)
        #expect(await !refresh.isOpen(.bitcoin))
        await flow.close()
    }
}
