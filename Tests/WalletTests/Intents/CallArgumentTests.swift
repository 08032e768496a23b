import Amounts
import DisplayText
import Encoding
import Testing

@testable import Ethereum
@testable import Wallet

@Suite("Arguments of calls, in the effects and beside them")
struct CallArgumentTests {
    /// Distinct values, and the text of each as a person reads it.
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
}
