internal import Amounts
internal import DisplayText
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Mnemonics
@testable import Wallet

@Suite("Calls, with all of their arguments")
struct CalledFunctionTests {
    /// Values that differ from each other, and each value as a person reads it.
    private struct Samples {
        var texts: [String] = []
        private var next: UInt8 = 0x20

        mutating func value(_ type: ABIType) -> ABIValue {
            next += 1
            switch type {
            case .uint(let bits):
                let number = UInt256(bits == 8 ? UInt64(next) : 7_000_000_000 + UInt64(next))
                texts.append(number.description)
                return .uint(number)
            case .int: preconditionFailure("no function takes a number with a sign")
            case .bool:
                texts.append("true")
                return .bool(true)
            case .address:
                texts.append(Sample.address(next).description)
                return .address(Sample.address(next))
            case .fixedBytes(let count): return bytes(count)
            case .bytes: return bytes(37)
            case .string:
                texts.append("text \(next)")
                return .string("text \(next)")
            case .array(let type, _): return .array([value(type), value(type)])
            case .tuple(let types): return .tuple(types.map { value($0) })
            }
        }

        private mutating func bytes(_ count: Int) -> ABIValue {
            let bytes = [UInt8](repeating: next, count: count)
            texts.append("0x" + Hex.encode(bytes))
            return .bytes(bytes)
        }
    }

    @Test(
        "every argument of every function that is known is shown, by the effects or beside them",
        arguments: ContractFunction.all.values.map(\.signature).sorted())
    func everything(signature: String) throws {
        let function = try #require(ContractFunction.all[ContractFunction.selector(signature)])
        var samples = Samples()
        let values = function.types.map { samples.value($0) }
        let data = ContractFunction.selector(signature) + (try ABI.encode(values, as: function.types))
        // For Permit2 and for any other contract: the effects differ.
        for contract in [Effect.permit2, Sample.token] {
            let transaction = try EthereumTransaction(
                chainID: .ethereum, nonce: 0, gasLimit: 100_000, to: contract, value: Wei(0), data: data,
                kind: .dynamicFee(.init(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(1)), []))
            let effects = Effect.effects(of: data, calling: contract, from: Sample.address(0x01))
            let shown =
                transaction.contents.map(\.text).joined(separator: "\n")
                + effects.map { $0.json.text.replacing("\"given\":true", with: "true") }.joined()
            for text in samples.texts { #expect(shown.contains(text), "\(text) of \(signature) is not shown") }
        }
        let called = try #require(CalledFunction(decoding: data))
        #expect(called.signature == signature)
        for text in samples.texts { #expect(called.arguments.text.contains(text)) }
        #expect(called.arguments.object?.members.count == function.types.count)
    }

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

    @Test("what is in a list of tuples lies one deeper, each element under its number")
    func nested() throws {
        let move: [ABIType] = [.address, .address, .uint(160), .address]
        let moves = ABIType.array(.tuple(move), count: nil)
        let moved = ABIValue.tuple([
            .address(Sample.address(1)), .address(Sample.address(2)), .uint(5), .address(Sample.address(3)),
        ])
        let signature = "transferFrom((address,address,uint160,address)[])"
        let data = ContractFunction.selector(signature) + (try ABI.encode([.array([moved, moved])], as: [moves]))
        let lines = try #require(CalledFunction(decoding: data)).lines.map { "\($0.depth) \($0.text)" }
        #expect(
            lines.prefix(5) == [
                "0 calls \(signature):", "1 transfers: a list of 2", "2 0:", "3 from: \(Sample.address(1))",
                "3 to: \(Sample.address(2))",
            ])
        #expect(lines.count == 12 && lines[7] == "2 1:")
    }

    @Test("of what is not known all bytes are shown, and of a contract that is made too, whatever its code begins with")
    func unknown() throws {
        let transfer = ContractCall.transferData(to: Sample.address(2), amount: 7)
        func contents(_ data: [UInt8], to: EthereumAddress?) throws -> [String] {
            try EthereumTransaction(
                chainID: .ethereum, nonce: 0, gasLimit: 100_000, to: to, value: Wei(0), data: data,
                kind: .dynamicFee(.init(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(1)), [])
            ).contents.map(\.text)
        }
        #expect(try contents([], to: Sample.token).isEmpty && contents(transfer, to: Sample.token).isEmpty)
        #expect(try contents([0xDE], to: Sample.token) == ["data of 1 byte: 0xde"])
        #expect(try contents(transfer + [0], to: Sample.token) == ["data of 69 bytes: 0x\(Hex.encode(transfer))00"])
        #expect(try contents(transfer, to: nil) == ["data of 68 bytes: 0x\(Hex.encode(transfer))"])
    }
}
