import Amounts
import Encoding
import Ethereum
import Nodes
import Payments
import PinnedHTTP
import Testing

import class TestSupport.HastyClock

/// What a token's contract says of itself, by way of a node that may lie.
@Suite("Tokens of Ethereum")
struct EthereumTokenTests {
    /// A node whose contracts all answer the same.
    private struct TokenNode: HTTPTransport {
        let chain: ChainID
        let decimals: Int
        /// The answer of `symbol()`; nil if the call fails.
        let symbol: [UInt8]?

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            guard let question = try? JSON(decoding: request.body) else {
                throw HTTPFailure(.notHTTP, mayHaveArrived: true)
            }
            let result: JSON? =
                switch question["method"]?.string {
                case "eth_chainId": .string(UInt256(chain.value).quantity)
                case "eth_getCode": "0x6001"
                default:
                    if question["params"]?.array?.first?["data"]?.string == "0x313ce567"
                        || question["params"]?.array?.first?["input"]?.string == "0x313ce567"
                    {
                        .string("0x" + Hex.encode(UInt256(UInt64(decimals)).bytes))
                    } else {
                        symbol.map { .string("0x" + Hex.encode($0)) }
                    }
                }
            let answer: JSON =
                if let result {
                    ["jsonrpc": "2.0", "id": question["id"] ?? .null, "result": result]
                } else {
                    [
                        "jsonrpc": "2.0", "id": question["id"] ?? .null,
                        "error": ["code": 3, "message": "execution reverted"],
                    ]
                }
            return HTTPResponse(status: 200, body: answer.encoded)
        }
    }

    private static let usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
    private static let other = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

    private func token(
        _ contract: String, says decimals: Int, _ symbol: String?, known: Int? = nil, on chain: ChainID = .ethereum
    ) async throws -> EthereumToken {
        let answer = try symbol.map { try ABI.encode([.string($0)], as: [.string]) }
        let node = try await EthereumNode(
            at: try NodeAddress("http://localhost"), on: chain,
            over: TokenNode(chain: chain, decimals: decimals, symbol: answer), NodeRetryPolicy(clock: HastyClock()))
        return try await EthereumToken(try EthereumAddress(contract), decimals: known, on: node)
    }

    @Test("a listed token has the list's symbol and decimals, whatever the contract calls itself")
    func listed() async throws {
        let found = try await token(Self.usdc, says: 6, "WETH")
        #expect(found.isKnown && found.unit.source == .list)
        #expect(found.unit.symbol?.description == "USDC" && found.unit.decimals.count == 6)
    }

    @Test("a node that says other decimals of a listed token is caught")
    func liar() async throws {
        let contract = try EthereumAddress(Self.usdc)
        await #expect(throws: PaymentError.token(.otherDecimals(contract, told: 5, known: 6))) {
            _ = try await token(Self.usdc, says: 5, "USDC")
        }
        // Elsewhere another contract may have this address.
        let found = try await token(Self.usdc, says: 5, "USDC", on: ScriptedEVM.chain)
        #expect(!found.isKnown && found.unit.source == .node)
    }

    @Test("of another token the contract says the symbol, and the decimals are known once the user says the same")
    func unlisted() async throws {
        let told = try await token(Self.other, says: 18, "UNI").unit
        #expect(told.source == .node && told.symbol?.description == "UNI" && told.decimals.count == 18)
        let known = try await token(Self.other, says: 18, "UNI", known: 18).unit
        #expect(known.source == .user && known.symbol?.description == "UNI")
    }

    @Test(
        "a borrowed or strange symbol is not shown, and a contract without one can be paid",
        arguments: [
            "USDC", "U5DC", "ETH", "two words", "\u{1B}[2J", String(repeating: "A", count: 60), nil,
        ])
    func strange(_ symbol: String?) async throws {
        let unit = try await token(Self.other, says: 6, symbol).unit
        #expect(unit.symbol == nil && unit.decimals.count == 6)
    }
}
