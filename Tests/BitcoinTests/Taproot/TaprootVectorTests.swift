import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("BIP-341 wallet vectors")
struct TaprootVectorTests {
    private static func leafHash(_ tree: JSON) throws -> [UInt8] {
        if case .list(let branches) = tree {
            let hashes = try branches.map(leafHash).sorted { $0.lexicographicallyPrecedes($1) }
            return BIP340.taggedHash("TapBranch", hashes[0], hashes[1])
        }
        let script = try tree["script"].bytes
        return BIP340.taggedHash("TapLeaf", [UInt8(try tree["version"].integer), UInt8(script.count)], script)
    }

    @Test("output keys, scripts and addresses, with and without a script tree")
    func outputs() throws {
        for test in try Vectors.json("bip341")["outputs"].array(of: 7) {
            let point = try Secp256k1.Point(xOnly: test["internal_key"].bytes)
            let tree = test["tree"]
            let root = tree.isNull ? [] : try Self.leafHash(tree)
            if !tree.isNull { #expect(try root == test["root"].bytes) }
            let output = try TaprootOutput(internalKey: point, merkleRoot: root)
            #expect(try output.tweak.encoded == test["tweak"].bytes)
            #expect(try output.outputKey == test["output_key"].bytes)
            #expect(try output.scriptPubKey.bytes == test["script"].bytes)
            let address = try test["address"].string
            #expect(Address<Checked>(output.scriptPubKey, on: .mainnet)?.description == address)
            for block in try test["control_blocks"].array {
                #expect(try block.bytes[0] & 1 == (output.hasOddY ? 1 : 0))
            }
            if tree.isNull { #expect(try TaprootOutput(internalKey: -point) == output) }
        }
    }

    @Test("intermediate hashes, messages, signature hashes, tweaked keys and witnesses of the spending example")
    func spending() throws {
        let test = try Vectors.json("bip341")["spending"]
        let unsigned = try Transaction(decodingUnsigned: test["unsigned"].bytes)
        let previous = try test["spent"].array(of: 9).map {
            TransactionOutput(
                amount: try Amount(satoshis: UInt64(try $0["satoshis"].integer)),
                scriptPubKey: ScriptPubKey(try $0["script"].bytes))
        }
        let sighash = try TaprootSighash(unsigned, spending: previous)
        let hashes = test["hashes"]
        #expect(try sighash.hashAmounts == hashes["amounts"].bytes)
        #expect(try sighash.hashes.outputs == hashes["outputs"].bytes)
        #expect(try sighash.hashes.prevouts == hashes["prevouts"].bytes)
        #expect(try sighash.hashScriptPubKeys == hashes["scripts"].bytes)
        #expect(try sighash.hashes.sequences == hashes["sequences"].bytes)
        let psbt = try PSBT(unsigned, previousOutputs: previous)
        let sighashes = try Sighashes(unsigned, spending: previous)
        let full = try Transaction(decoding: test["signed"].bytes)
        #expect(full.outputs == unsigned.outputs)
        for input in try test["inputs"].array(of: 7) {
            let index = Int(try input["input"].integer)
            let type = try #require(SighashType(rawValue: UInt8(try input["type"].integer)))
            // The vectors put the epoch, 0, before the message.
            #expect(try [0] + sighash.message(input: index, type: type) == input["message"].bytes)
            let message = try sighash.hash(input: index, type: type)
            #expect(try message == input["hash"].bytes)
            // One secret key, tweaked as the public one is.
            let secret = try Scalar<Secp256k1>(canonical: input["private_key"].bytes)
            let point = Secp256k1.Point.generator.multipliedVariableTime(by: secret)
            let root = input["root"].isNull ? [] : try input["root"].bytes
            let output = try TaprootOutput(internalKey: point, merkleRoot: root)
            #expect(try output.internalKey == input["internal_key"].bytes)
            let tweaked = (point.hasEvenY ? secret : -secret) + output.tweak
            #expect(try tweaked.encoded == input["tweaked_private_key"].bytes)
            let signature = try BIP340.sign(
                message: message, key: SecretScalar(tweaked), auxiliary: [UInt8](repeating: 0, count: 32))
            let witness = signature + (type == .default ? [] : [type.rawValue])
            #expect(try witness == input["signature"].bytes)
            #expect(throws: Never.self) { try psbt.verify([witness], input: index, sighashes: sighashes) }
            #expect(full.inputs[index].witness == [witness])
        }
    }
}

@Suite("Taproot")
struct TaprootTests {
    @Test("the identity has no output, and a wrong number of previous outputs has no message")
    func refused() throws {
        #expect(throws: HDKeyError.badKey) { try TaprootOutput(internalKey: .identity) }
        let draft = try Draft.payment(by: LoneSigner())
        #expect(throws: BitcoinError.badTransaction) { try TaprootSighash(draft.transaction, spending: []) }
        let sighash = try TaprootSighash(draft.transaction, spending: draft.previousOutputs)
        #expect(throws: BitcoinError.incomplete(input: 1)) { try sighash.hash(input: 1, type: .default) }
        #expect(throws: BitcoinError.incomplete(input: -1)) { try sighash.hash(input: -1, type: .default) }
    }

    @Test("a signature for a single output needs that output")
    func single() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs += [draft.inputs[0], draft.inputs[0]]
        let sighash = try TaprootSighash(draft.transaction, spending: draft.previousOutputs)
        _ = try sighash.hash(input: 1, type: .single)
        #expect(throws: BitcoinError.badTransaction) { try sighash.hash(input: 2, type: .single) }
    }
}
