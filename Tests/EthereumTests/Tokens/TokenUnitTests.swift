internal import Amounts
internal import TestSupport
internal import Testing

@testable internal import Ethereum

@Suite("Units of tokens")
struct TokenUnitTests {
    private let local: ChainID

    init() throws { local = try ChainID(31_337) }

    private func answer(_ text: String) throws -> [UInt8] { try ABI.encode([.string(text)], as: [.string]) }

    @Test("every row of the list is an address with EIP-55's letters, and is found by contract and by symbol")
    func list() throws {
        #expect(TokenUnit.listed.values.reduce(0) { $0 + $1.count } == TokenUnit.table.count)
        for (number, symbol, decimals, contract) in TokenUnit.table {
            let chain = try ChainID(number)
            #expect(chain.worth == .real, "\(number)")
            let read = try EthereumAddress.read(contract)
            #expect(read.checksum == .matches, "\(contract)")
            let unit = try #require(TokenUnit.listed(read.address, on: chain))
            #expect(
                unit
                    == TokenUnit(
                        of: read.address, symbol: try TokenSymbol(symbol), decimals: try Decimals(decimals),
                        source: .list))
            #expect(TokenUnit.listed(symbol.lowercased(), on: chain) == unit)
        }
        let usdc = try EthereumAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
        #expect(TokenUnit.listed(usdc, on: local) == nil && TokenUnit.listed("USDC", on: local) == nil)
        #expect(TokenUnit.listed(.zero, on: .ethereum) == nil && TokenUnit.listed("", on: .ethereum) == nil)
    }

    @Test("a symbol is read from a string, and from the 32 bytes of old contracts")
    func symbols() throws {
        for text in ["USDC", "x", "USDC.e", "stETH", "USD₮0", "ABCDEFGHIJKL"] {
            #expect(try TokenSymbol(decoding: answer(text)).description == text)
        }
        let old = Array("MKR".utf8) + [UInt8](repeating: 0, count: 29)
        #expect(try TokenSymbol(decoding: old).description == "MKR")
    }

    @Test(
        "a symbol that a reader cannot see, or that could pass for words of this program, is refused",
        arguments: [
            "", " ", "US DC", "USDC\n", "USDC\u{1B}[31m", "\u{202E}CDSU", "USD\u{200B}C", "a\"b", "ABCDEFGHIJKLM",
            "UЅDC",
        ])
    func strange(_ text: String) throws {
        #expect(throws: EthereumError.badTokenSymbol) { try TokenSymbol(decoding: try answer(text)) }
        #expect(throws: EthereumError.badTokenSymbol) { try TokenSymbol(text) }
    }

    @Test("an answer that is neither form is refused")
    func malformed() throws {
        var late = Array("MKR".utf8) + [UInt8](repeating: 0, count: 29)
        late[31] = 0x41
        for bytes in [
            [], [0x41], late, [0xFF] + [UInt8](repeating: 0, count: 31), try answer("USDC") + [0],
            try answer("USDC").dropLast(), try answer(String(repeating: "A", count: 65)),
        ] as [[UInt8]] {
            #expect(throws: EthereumError.badTokenSymbol) { try TokenSymbol(decoding: bytes) }
        }
    }

    @Test("a symbol that looks like a listed one or like a coin is taken")
    func taken() throws {
        for text in ["USDC", "usdc", "U5DC", "ETH", "BTC", "wbtc"] {
            #expect(TokenUnit.isTaken(try TokenSymbol(text), on: .ethereum), "\(text)")
        }
        #expect(!TokenUnit.isTaken(try TokenSymbol("POL"), on: .ethereum))
        #expect(!TokenUnit.isTaken(try TokenSymbol("UNI"), on: .ethereum))
        #expect(!TokenUnit.isTaken(try TokenSymbol("USDC"), on: local))
    }
}
