internal import Bitcoin
import Encoding
internal import HDKeys
import Testing
import Wallet

@testable import Nodes

@Suite("Searching for addresses without payments")
struct UnpaidSearchTests {
    private static func script(_ number: Int) -> ScriptPubKey {
        ScriptPubKey(
            [0x00, 0x14] + [UInt8](repeating: 7, count: 16) + [UInt8(number >> 8), UInt8(number & 0xFF), 1, 2])
    }

    /// An explorer that knows which addresses were paid, by their numbers.
    private static func search(
        among count: Int, paid isPaid: @escaping @Sendable (Int) -> Bool
    ) async throws -> (found: UnpaidSearch.Finding, questions: Int) {
        let numbers = Dictionary(
            uniqueKeysWithValues: (0..<count).compactMap { number in
                Address<Checked>(Self.script(number), on: .regtest).map { ("GET /address/\($0)", number) }
            })
        let transport = ScriptedNode { call in
            switch call.method {
            case "GET /block-height/0": return .raw(String(repeating: "1", count: 64))
            default:
                guard let number = numbers[call.method] else { return .raw("", status: 404) }
                let count = isPaid(number) ? 2 : 0
                return .raw(#"{"chain_stats":{"tx_count":\#(count)},"mempool_stats":{"tx_count":0}}"#)
            }
        }
        let node = try await EsploraNode(
            at: try NodeAddress("http://localhost"), on: .regtest, over: transport, .hasty)
        let found = try await UnpaidSearch(among: count) { Self.script($0) }.run(by: node)
        return (found, transport.methods.count { $0.hasPrefix("GET /address/") })
    }

    @Test(
        "the address behind those that were paid is found in few questions, however many these are",
        arguments: [0, 1, 2, 3, 20, 100, 101, 1_000, 5_000, 9_999])
    func order(paid: Int) async throws {
        let (found, questions) = try await Self.search(among: 10_000) { $0 < paid }
        #expect(found == .unpaid(paid))
        #expect(questions <= 30)
    }

    @Test(
        "where the last address was paid, others are tried; where all were, none is found; an address that is missing is passed over"
    )
    func bounds() async throws {
        #expect(
            try await Self.search(among: 500) { [0, 1, 3, 7, 15, 31, 63, 127, 255, 499].contains($0) }.found
                == .unpaid(2))
        #expect(try await Self.search(among: 60) { _ in true }.found == .none)
        #expect(try await Self.search(among: 0) { _ in true }.found == .none)
        let answers = ScriptedNode { call in
            call.method == "GET /block-height/0"
                ? .raw(String(repeating: "1", count: 64))
                : .raw(#"{"chain_stats":{"tx_count":0},"mempool_stats":{"tx_count":0}}"#)
        }
        let node = try await EsploraNode(
            at: try NodeAddress("http://localhost"), on: .regtest, over: answers, .hasty)
        #expect(try await UnpaidSearch(among: 9) { $0 < 2 ? nil : Self.script($0) }.run(by: node) == .unpaid(2))
    }

    @Test("a node without address records is asked for thousands of addresses at once, and reports those with coins")
    func withoutRecord() async throws {
        let count = NodeLimits.addressesAtOnce + 300
        let script = ScriptedNode { call in
            switch call.method {
            case "getblockchaininfo": return .result(["chain": "regtest"])
            case "getblockhash": return .result(.string(String(repeating: "1", count: 64)))
            case "scantxoutset":
                let asked = Set(call.parameters.last?.array?.compactMap(\.string) ?? [])
                let coins = (0..<NodeLimits.addressesAtOnce + 20).filter {
                    asked.contains("raw(\(Hex.encode(Self.script($0).bytes)))")
                }.map { number -> JSON in
                    [
                        "txid": .string(String(repeating: "ab", count: 32)), "vout": JSON(Int64(number)),
                        "scriptPubKey": .string(Hex.encode(Self.script(number).bytes)), "height": 90, "amount": 1,
                    ]
                }
                return .result(["success": true, "height": 100, "unspents": .array(coins)])
            default: return .fault(-32_601, "Method not found")
            }
        }
        let node = try await BitcoinNode(
            at: try NodeAddress("http://localhost"), on: .regtest, over: script, .hasty)
        let search = UnpaidSearch(among: count) { Self.script($0) }
        #expect(try await search.run(by: node) == .empty(NodeLimits.addressesAtOnce + 20))
        #expect(script.methods.count { $0 == "scantxoutset" } == 2)
        let next = Self.script(NodeLimits.addressesAtOnce + 20)
        #expect(try await search.run(by: node, besides: [next]) == .empty(NodeLimits.addressesAtOnce + 21))
    }
}
