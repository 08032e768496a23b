internal import Amounts
internal import DisplayText
import Encoding
import EthereumTestSupport
import TestSupport
import Testing

@testable import Ethereum

@Suite("Calls, with all of their arguments")
struct CalledFunctionTests {
    @Test("each argument has a name, and no function has more names than arguments")
    func names() {
        func count(_ type: ABIType) -> Int {
            switch type {
            case .tuple(let types): 1 + types.reduce(0) { $0 + count($1) }
            case .array(let element, _): count(element)
            default: 1
            }
        }
        for function in ContractFunction.all.values {
            #expect(function.labels.count == function.types.reduce(0) { $0 + count($1) }, "\(function.signature)")
        }
    }

    @Test("elements of a list of tuples are one level deeper, each under its number")
    func nested() throws {
        let move: [ABIType] = [.address, .address, .uint(160), .address]
        let moves = ABIType.array(.tuple(move), count: nil)
        let moved = ABIValue.tuple([
            .address(EthereumAddress.repeating(1)), .address(EthereumAddress.repeating(2)), .uint(5),
            .address(EthereumAddress.repeating(3)),
        ])
        let signature = "transferFrom((address,address,uint160,address)[])"
        let data = ContractFunction.selector(signature) + (try ABI.encode([.array([moved, moved])], as: [moves]))
        let lines = try #require(CalledFunction(decoding: data)).lines.map { "\($0.depth) \($0.text)" }
        #expect(
            lines.prefix(5) == [
                "0 calls \(signature):", "1 transfers: a list of 2", "2 0:", "3 from: \(EthereumAddress.repeating(1))",
                "3 to: \(EthereumAddress.repeating(2))",
            ])
        #expect(lines.count == 12 && lines[7] == "2 1:")
    }

    @Test("for an unknown call all bytes are shown, and for contract creation too, whatever its code begins with")
    func unknown() throws {
        let transfer = ContractCall.transferData(to: EthereumAddress.repeating(2), amount: 7)
        func contents(_ data: [UInt8], to: EthereumAddress?) throws -> [String] {
            try EthereumTransaction(
                chainID: .ethereum, nonce: 0, gasLimit: 100_000, to: to, value: Wei(0), data: data,
                kind: .dynamicFee(.init(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(1)), [])
            ).contents.map(\.text)
        }
        #expect(
            try contents([], to: EthereumAddress.repeating(0xA0)).isEmpty
                && contents(transfer, to: EthereumAddress.repeating(0xA0)).isEmpty)
        #expect(try contents([0xDE], to: EthereumAddress.repeating(0xA0)) == ["data of 1 byte: 0xde"])
        #expect(
            try contents(transfer + [0], to: EthereumAddress.repeating(0xA0)) == [
                "data of 69 bytes: 0x\(Hex.encode(transfer))00"
            ])
        #expect(try contents(transfer, to: nil) == ["data of 68 bytes: 0x\(Hex.encode(transfer))"])
    }
}
