internal import Amounts
internal import Bitcoin
import Encoding
internal import HDKeys
import PinnedHTTP
import Synchronization
import Testing
import Wallet

@testable import Nodes

/// An address of the wallet that an attacker pays repeatedly, in one transaction of many outputs: the first is worth
/// least.
private struct DustedAddress {
    static let script = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 7, count: 20)))
    static let other = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 9, count: 20)))
    static let address = "bcrt1qqurswpc8qurswpc8qurswpc8qurswpc8dxm0gk"

    let transaction: Transaction

    init(coins: Int, from other: TransactionID? = nil, paying least: Int = 1_000) throws {
        let previous = try other ?? TransactionID(String(repeating: "ab", count: 32))
        transaction = Transaction(
            version: 2,
            inputs: [TransactionInput(previousOutput: OutPoint(transaction: previous, index: 0), sequence: 0)],
            outputs: try (0..<coins).map {
                TransactionOutput(amount: try Amount(satoshis: UInt64(least + $0)), scriptPubKey: Self.script)
            }, lockTime: 0)
    }

    var id: JSON { .string(transaction.id.description) }

    /// As Bitcoin Core lists them, the least valuable first.
    func listed() throws -> JSON {
        let script = JSON.string(Hex.encode(Self.script.bytes))
        let coins = try transaction.outputs.enumerated().map { index, output -> JSON in
            let amount = DecimalText.full(UInt256(output.amount.satoshis), .bitcoin)
            return [
                "txid": id, "vout": JSON(Int64(index)), "scriptPubKey": script, "height": 90,
                "amount": .number(try JSON.Number(amount)),
            ]
        }
        return ["success": true, "height": 100, "unspents": .array(coins)]
    }

    /// A node with this chain; a test changes its answer to a method.
    func node(
        _ lie: @escaping @Sendable (ScriptedNode.Call) -> ScriptedNode.Reply? = { _ in nil }
    ) async throws -> (node: BitcoinNode, script: ScriptedNode) {
        let (listed, transaction) = (try listed(), transaction)
        let script = ScriptedNode { call in
            if let lie = lie(call) { return lie }
            switch call.method {
            case "getblockchaininfo": return .result(["chain": "regtest"])
            case "getblockhash": return .result(.string(String(repeating: "1", count: 64)))
            case "scantxoutset": return .result(listed)
            case "gettxout": return .result(["confirmations": 11])
            case "getrawtransaction": return .result(.string(Hex.encode(transaction.encoded)))
            case "getmempoolinfo": return .result(["size": 0])
            case "getrawmempool": return .result([])
            default: return .fault(-32_601, "Method not found")
            }
        }
        let node = try await BitcoinNode(
            at: try NodeAddress("http://localhost"), on: .regtest, over: script, .hasty)
        return (node, script)
    }
}

@Suite("Addresses with many coins")
struct CoinListTests {
    @Test("a transaction with too long a witness hides its own coins, which are counted, and no others")
    func longWitness() async throws {
        let dusted = try DustedAddress(coins: 1)
        var bytes = dusted.transaction.encoded
        // The marker, and 1,004 empty elements before the lock time.
        bytes.insert(contentsOf: [0, 1], at: 4)
        bytes.insert(contentsOf: [0xFD, 0xEC, 0x03] + [UInt8](repeating: 0, count: 1_004), at: bytes.count - 4)
        let long = JSON.string(Hex.encode(bytes))
        let (node, _) = try await dusted.node { $0.method == "getrawtransaction" ? .result(long) : nil }
        let list = try await node.coins(of: [DustedAddress.script])
        #expect(list.coins.isEmpty)
        #expect((list.leftOutCount, list.leftOutAmount.satoshis) == (1, 1_000))
    }

    @Test(
        "beyond the limit the most valuable coins are used; the others are counted, and no transaction is fetched twice"
    )
    func dusted() async throws {
        let dusted = try DustedAddress(coins: NodeLimits.coins + 3)
        let (node, script) = try await dusted.node()
        let list = try await node.coins(of: [DustedAddress.script])
        #expect(list.coins.count == NodeLimits.coins)
        #expect(Set(list.coins.map(\.outPoint.index)) == Set(3..<UInt32(NodeLimits.coins + 3)))
        #expect((list.leftOutCount, list.leftOutAmount.satoshis) == (3, 1_000 + 1_001 + 1_002))
        #expect(list.crowded.isEmpty && !list.isComplete)
        #expect(script.methods.count { $0 == "getrawtransaction" } == 1)
        #expect(script.methods.count { $0 == "gettxout" } == NodeLimits.coins)
        let (few, _) = try await DustedAddress(coins: 3).node()
        #expect(try await few.coins(of: [DustedAddress.script]).isComplete)
    }

    @Test(
        "a list that is longer than an answer may be is asked for in parts; one address alone that is, is told by name")
    func crowded() async throws {
        let dusted = try DustedAddress(coins: 2)
        let own = JSON.string("raw(\(Hex.encode(DustedAddress.script.bytes)))")
        let (node, script) = try await dusted.node { call in
            guard call.method == "scantxoutset", let parts = call.parameters.last?.array else { return nil }
            return parts == [own] ? nil : .fails(.tooLarge(limit: NodeLimits.coinListBytes))
        }
        let list = try await node.coins(of: [DustedAddress.script, DustedAddress.other])
        #expect(list.coins.count == 2 && list.crowded == [DustedAddress.other])
        #expect(script.methods.count { $0 == "scantxoutset" } == 3)
    }

    @Test("the change of an unconfirmed payment is found, though the coins that it spends are omitted")
    func changeOfDust() async throws {
        let dusted = try DustedAddress(coins: NodeLimits.coins + 1)
        let spending = try DustedAddress(coins: 1, from: dusted.transaction.id, paying: 90_000)
        let (node, _) = try await dusted.node { call in
            switch call.method {
            case "getmempoolinfo": return .result(["size": 50_000])
            case "gettxspendingprevout":
                let places = call.parameters.first?.array ?? []
                return .result(
                    .array(
                        places.map { place in
                            place["vout"] == 0
                                ? ["txid": dusted.id, "vout": 0, "spendingtxid": spending.id]
                                : ["txid": dusted.id, "vout": 1]
                        }))
            case "getrawtransaction" where call.parameters.first == spending.id:
                return .result(.string(Hex.encode(spending.transaction.encoded)))
            default: return nil
            }
        }
        let list = try await node.coins(of: [DustedAddress.script])
        #expect(list.coins.map(\.outPoint).contains(OutPoint(transaction: spending.transaction.id, index: 0)))
        // The coin that it spends is still counted, and one has made room.
        #expect(list.coins.count == NodeLimits.coins && list.leftOutCount == 2)
    }

    @Test("large transactions of an attacker are not all kept in memory")
    func largeTransactions() async throws {
        let padding = ScriptPubKey([UInt8](repeating: 0x6A, count: 4 << 20))
        var made: [TransactionID: Transaction] = [:]
        var listing = CoinListing()
        for number in 0..<20 {
            let name = try TransactionID(String(repeating: "ab", count: 31) + Hex.encode([UInt8(number)]))
            let own = TransactionOutput(
                amount: try Amount(satoshis: UInt64(5_000 - number)), scriptPubKey: DustedAddress.script)
            let transaction = Transaction(
                version: 2,
                inputs: [TransactionInput(previousOutput: OutPoint(transaction: name, index: 0), sequence: 0)],
                outputs: [own, TransactionOutput(amount: .zero, scriptPubKey: padding)], lockTime: 0)
            made[transaction.id] = transaction
            try listing.add(
                CoinClaim(
                    outPoint: OutPoint(transaction: transaction.id, index: 0), output: own, height: 1,
                    confirmations: 1))
        }
        let known = made
        let picks = try await listing.picks { _ in
            true
        } _: { (claim) async throws(NodeError) in
            guard let transaction = known[claim.outPoint.transaction] else { throw .inconsistent(.transaction) }
            return transaction
        }
        #expect(picks.coins.map(\.output.amount.satoshis) == (0..<16).map { 5_000 - $0 })
        #expect(picks.leftOut.count == 4)
    }
}

@Suite("Addresses with many coins, at an explorer")
struct ExplorerCoinListTests {
    /// A transaction in an address's history, in Esplora's form.
    private static func entry(_ transaction: Transaction, spending spent: [OutPoint] = [], height: Int64?) -> JSON {
        let script = JSON.string(Hex.encode(DustedAddress.script.bytes))
        let outputs = transaction.outputs.map { output -> JSON in
            [
                "scriptpubkey": .string(Hex.encode(output.scriptPubKey.bytes)),
                "value": JSON(Int64(output.amount.satoshis)),
            ]
        }
        let inputs = spent.map { place -> JSON in
            [
                "txid": .string(place.transaction.description), "vout": JSON(Int64(place.index)),
                "prevout": ["scriptpubkey": script],
            ]
        }
        let status: JSON =
            height.map { ["confirmed": true, "block_height": JSON($0)] } ?? ["confirmed": false]
        return [
            "txid": .string(transaction.id.description), "vin": .array(inputs), "vout": .array(outputs),
            "status": status,
        ]
    }

    private static func explorer(
        _ replies: [String: ScriptedNode.Reply]
    ) async throws -> (node: EsploraNode, script: ScriptedNode) {
        let script = ScriptedNode { call in
            switch call.method {
            case "GET /block-height/0": .raw(String(repeating: "1", count: 64))
            case "GET /blocks/tip/height": .raw("100")
            default: replies[call.method] ?? .raw("", status: 404)
            }
        }
        let address = try NodeAddress("http://localhost")
        return (try await EsploraNode(at: address, on: .regtest, over: script, .hasty), script)
    }

    @Test("if an explorer lists no coins because they are too many, the history is read page by page")
    func history() async throws {
        let old = try DustedAddress(coins: 3).transaction
        let new = try DustedAddress(coins: 1, from: old.id).transaction
        let waiting = try DustedAddress(coins: 2, from: new.id).transaction
        let base = "GET /address/\(DustedAddress.address)"
        let replies: [String: ScriptedNode.Reply] = [
            "\(base)/utxo": .raw("Too many unspent transaction outputs (>500). Contact support.", status: 400),
            "\(base)/txs": .raw(
                JSON.array([
                    Self.entry(waiting, spending: [OutPoint(transaction: new.id, index: 0)], height: nil),
                    Self.entry(new, spending: [OutPoint(transaction: old.id, index: 1)], height: 95),
                ]).text),
            "\(base)/txs/chain/\(new.id)": .raw(JSON.array([Self.entry(old, height: 90)]).text),
            "\(base)/txs/chain/\(old.id)": .raw("[]"),
            "GET /tx/\(old.id)/hex": .raw(Hex.encode(old.encoded)),
            "GET /tx/\(waiting.id)/hex": .raw(Hex.encode(waiting.encoded)),
        ]
        let (node, _) = try await Self.explorer(replies)
        let list = try await node.coins(of: [DustedAddress.script])
        let expected = [(old, 0), (old, 2), (waiting, 0), (waiting, 1)].map {
            OutPoint(transaction: $0.0.id, index: UInt32($0.1))
        }
        #expect(Set(list.coins.map(\.outPoint)) == Set(expected) && list.isComplete)
        #expect(Set(list.coins.map(\.confirmations)) == [0, 11])
        // The same pages name what was paid to the address, also where it is spent.
        #expect(try await node.payments(to: [DustedAddress.script])?.ids == [waiting.id, new.id, old.id])
        // Pages in a circle are a false answer, and an amount is compared with its transaction.
        var circle = replies
        circle["\(base)/txs/chain/\(old.id)"] = replies["\(base)/txs/chain/\(new.id)"]
        await #expect(throws: NodeError.inconsistent(.coins)) {
            try await Self.explorer(circle).node.coins(of: [DustedAddress.script])
        }
        var other = replies
        other["GET /tx/\(old.id)/hex"] = .raw(Hex.encode(new.encoded))
        await #expect(throws: NodeError.inconsistent(.transaction)) {
            try await Self.explorer(other).node.coins(of: [DustedAddress.script])
        }
        // A transaction longer than the limit is reported by name.
        var long = replies
        long["\(base)/txs/chain/\(new.id)"] = .fails(.tooLarge(limit: 1))
        let crowded = try await Self.explorer(long).node.coins(of: [DustedAddress.script])
        #expect(crowded.crowded == [DustedAddress.script] && crowded.coins.count == 2)
    }

    /// A transaction that pays to the address, as an explorer shows it.
    private static func payment(_ number: Int, height: Int64) throws -> (id: TransactionID, entry: JSON) {
        let transaction = try DustedAddress(coins: 1, paying: 1_000 + number).transaction
        return (transaction.id, entry(transaction, height: height))
    }

    @Test("an error about an explorer's page that is too long, or has too many transactions, names the address")
    func crowdedPayments() async throws {
        let base = "GET /address/\(DustedAddress.address)/txs"
        let (new, old) = (try Self.payment(0, height: 95), try Self.payment(1, height: 90))
        let whole: [String: ScriptedNode.Reply] = [
            base: .raw(JSON.array([new.entry, old.entry]).text), "\(base)/chain/\(old.id)": .raw("[]"),
        ]
        let list = try #require(try await Self.explorer(whole).node.payments(to: [DustedAddress.script]))
        #expect(list.ids == [new.id, old.id] && list.crowded.isEmpty && list.leftOutCount == 0)

        let long: [String: ScriptedNode.Reply] = [
            base: .raw(JSON.array([new.entry]).text), "\(base)/chain/\(new.id)": .fails(.tooLarge(limit: 1)),
        ]
        let cut = try #require(try await Self.explorer(long).node.payments(to: [DustedAddress.script]))
        #expect(cut.ids == [new.id] && cut.crowded == [DustedAddress.script])

        // More than are read, the oldest first: the newest are kept.
        let many = try (0...NodeLimits.paymentTransactions).map { try Self.payment($0, height: Int64(1 + $0 / 20)) }
        let (node, script) = try await Self.explorer([base: .raw(JSON.array(many.map(\.entry)).text)])
        let most = try #require(try await node.payments(to: [DustedAddress.script, DustedAddress.script]))
        #expect(most.crowded == [DustedAddress.script] && most.ids.count == NodeLimits.paymentsOfScript)
        #expect(most.leftOutCount == many.count - NodeLimits.paymentsOfScript && most.ids.first == many.last?.id)
        #expect(script.methods.count { $0.hasPrefix(base) } == 1)
    }

    @Test("an explorer with one transaction on each page is not asked for ever")
    func endlessPages() async throws {
        let pages = try (0...50).map { try Self.payment($0, height: 50) }
        let base = "GET /address/\(DustedAddress.address)/txs"
        var replies: [String: ScriptedNode.Reply] = [base: .raw(JSON.array([pages[0].entry]).text)]
        for (before, next) in zip(pages, pages.dropFirst()) {
            replies["\(base)/chain/\(before.id)"] = .raw(JSON.array([next.entry]).text)
        }
        let (node, script) = try await Self.explorer(replies)
        let list = try #require(try await node.payments(to: [DustedAddress.script]))
        #expect(list.ids.count == NodeLimits.paymentPages && list.crowded == [DustedAddress.script])
        #expect(script.methods.count { $0.hasPrefix(base) } == NodeLimits.paymentPages)
    }

    @Test("an explorer with endless pages for every address is asked for a limited number in all")
    func endlessAddresses() async throws {
        let counter = Mutex(0)
        let script = ScriptedNode { call in
            switch call.method {
            case "GET /block-height/0": return .raw(String(repeating: "1", count: 64))
            case "GET /blocks/tip/height": return .raw("100")
            default:
                let number = counter.withLock { count in
                    count += 1
                    return count
                }
                let digits = String(number, radix: 16)
                let id = String(repeating: "0", count: 64 - digits.count) + digits
                return .raw(
                    #"[{"txid":"\#(id)","vin":[],"vout":[],"status":{"confirmed":true,"block_height":90}}]"#)
            }
        }
        let node = try await EsploraNode(at: try NodeAddress("http://localhost"), on: .regtest, over: script, .hasty)
        let scripts = (0..<52 as Range<UInt8>).map { ScriptPubKey(.p2wpkh(keyHash: Array(repeating: $0, count: 20))) }
        let list = try #require(try await node.payments(to: scripts))
        #expect(list.crowded.count == 52 && list.ids.isEmpty)
        #expect(counter.withLock(\.self) == NodeLimits.paymentPagesInAll)
    }

    @Test("a list of payments has the newest of all addresses, and counts the others")
    func allPayments() throws {
        var listing = PaymentListing()
        let first = try (0..<400).map { (id: try Self.id($0), height: UInt32(1 + $0)) }
        for part in 0..<6 {
            listing.add(first.map { (id: $0.id, height: $0.height) })
            listing.add(try (0..<400).map { (id: try Self.id(1_000 * (part + 1) + $0), height: 1_000 + UInt32($0)) })
        }
        let waiting = try Self.id(9_999)
        listing.add([(id: waiting, height: nil)])
        let list = listing.list
        #expect(list.ids.count == NodeLimits.payments && list.ids.first == waiting)
        #expect(!list.ids.contains(first[399].id) && list.leftOutCount >= 6 * 400 + 400 + 1 - NodeLimits.payments)
    }

    private static func id(_ number: Int) throws -> TransactionID {
        let digits = String(number, radix: 16)
        return try TransactionID(String(repeating: "0", count: 64 - digits.count) + digits)
    }

    @Test("an explorer's most valuable coins are read, however many it lists")
    func dusted() async throws {
        let dusted = try DustedAddress(coins: NodeLimits.coins + 2).transaction
        let entries = dusted.outputs.enumerated().map { index, output -> JSON in
            [
                "txid": .string(dusted.id.description), "vout": JSON(Int64(index)),
                "value": JSON(Int64(output.amount.satoshis)), "status": ["confirmed": true, "block_height": 90],
            ]
        }
        let (node, script) = try await Self.explorer([
            "GET /address/\(DustedAddress.address)/utxo": .raw(JSON.array(entries).text),
            "GET /tx/\(dusted.id)/hex": .raw(Hex.encode(dusted.encoded)),
        ])
        let list = try await node.coins(of: [DustedAddress.script])
        #expect(list.coins.count == NodeLimits.coins && list.leftOutCount == 2)
        #expect(!list.coins.map(\.outPoint.index).contains(1))
        #expect(script.methods.count { $0.hasSuffix("/hex") } == 1)
    }
}
