import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("BIP-341 wallet vectors", .withVectors)
struct TaprootVectorTests {
    private static func leafHash(_ tree: JSON) throws -> [UInt8] {
        if case .list(let branches) = tree {
            let hashes = try branches.map(leafHash).sorted { $0.lexicographicallyPrecedes($1) }
            return BIP340.taggedHash("TapBranch", hashes[0], hashes[1])
        }
        let script = try tree["script"].bytes
        return BIP340.taggedHash("TapLeaf", [UInt8(try tree["leafVersion"].integer), UInt8(script.count)], script)
    }

    @Test("output keys, scripts and addresses, with and without a script tree")
    func outputs() throws {
        let cases = try Vectors.json("bip341/wallet-test-vectors.json")["scriptPubKey"].array
        #expect(cases.count == 7)
        for test in cases {
            let point = try Secp256k1.Point(xOnly: test["given"]["internalPubkey"].bytes)
            let tree = test["given"]["scriptTree"]
            let root = tree.isNull ? [] : try Self.leafHash(tree)
            if !tree.isNull { #expect(try root == test["intermediary"]["merkleRoot"].bytes) }
            let output = try TaprootOutput(internalKey: point, merkleRoot: root)
            #expect(try output.tweak.encoded == test["intermediary"]["tweak"].bytes)
            #expect(try output.outputKey == test["intermediary"]["tweakedPubkey"].bytes)
            #expect(try output.scriptPubKey.bytes == test["expected"]["scriptPubKey"].bytes)
            let address = try test["expected"]["bip350Address"].string
            #expect(Address<Checked>(output.scriptPubKey, on: .mainnet)?.description == address)
            if case .list(let blocks) = test["expected"]["scriptPathControlBlocks"] {
                for block in blocks { #expect(try block.bytes[0] & 1 == (output.hasOddY ? 1 : 0)) }
            }
            if tree.isNull { #expect(try TaprootOutput(internalKey: -point) == output) }
        }
    }

    @Test("intermediate hashes, messages, signature hashes, tweaked keys and witnesses of the spending example")
    func spending() throws {
        let tests = try Vectors.json("bip341/wallet-test-vectors.json")["keyPathSpending"].array
        let test = try #require(tests.first)
        let unsigned = try Transaction(decodingUnsigned: test["given"]["rawUnsignedTx"].bytes)
        let previous = try test["given"]["utxosSpent"].array.map {
            TransactionOutput(
                amount: try Amount(satoshis: UInt64(try $0["amountSats"].integer)),
                scriptPubKey: ScriptPubKey(try $0["scriptPubKey"].bytes))
        }
        let sighash = try TaprootSighash(unsigned, spending: previous)
        #expect(try sighash.hashAmounts == test["intermediary"]["hashAmounts"].bytes)
        #expect(try sighash.hashes.outputs == test["intermediary"]["hashOutputs"].bytes)
        #expect(try sighash.hashes.prevouts == test["intermediary"]["hashPrevouts"].bytes)
        #expect(try sighash.hashScriptPubKeys == test["intermediary"]["hashScriptPubkeys"].bytes)
        #expect(try sighash.hashes.sequences == test["intermediary"]["hashSequences"].bytes)
        let psbt = try PSBT(unsigned, previousOutputs: previous)
        let sighashes = try Sighashes(unsigned, spending: previous)
        let spendings = try test["inputSpending"].array
        #expect(spendings.count == 7)
        for spending in spendings {
            let given = spending["given"]
            let index = Int(try given["txinIndex"].integer)
            let type = try #require(SighashType(rawValue: UInt8(try given["hashType"].integer)))
            let between = spending["intermediary"]
            // The vectors put the epoch, 0, before the message.
            #expect(try [0] + sighash.message(input: index, type: type) == between["sigMsg"].bytes)
            let message = try sighash.hash(input: index, type: type)
            #expect(try message == between["sigHash"].bytes)
            // One secret key, tweaked as the public one is.
            let secret = try Scalar<Secp256k1>(canonical: given["internalPrivkey"].bytes)
            let point = Secp256k1.Point.generator.multipliedVariableTime(by: secret)
            let root = given["merkleRoot"].isNull ? [] : try given["merkleRoot"].bytes
            let output = try TaprootOutput(internalKey: point, merkleRoot: root)
            #expect(try output.internalKey == between["internalPubkey"].bytes)
            let tweaked = (point.hasEvenY ? secret : -secret) + output.tweak
            #expect(try tweaked.encoded == between["tweakedPrivkey"].bytes)
            let signature = try BIP340.sign(
                message: message, key: SecretScalar(tweaked), auxiliary: [UInt8](repeating: 0, count: 32))
            let witness = signature + (type == .default ? [] : [type.rawValue])
            #expect(try witness == spending["expected"]["witness"][0].bytes)
            #expect(throws: Never.self) { try psbt.verify([witness], input: index, sighashes: sighashes) }
        }
        let full = try Transaction(decoding: test["auxiliary"]["fullySignedTx"].bytes)
        #expect(full.outputs == unsigned.outputs)
        for spending in spendings {
            let index = Int(try spending["given"]["txinIndex"].integer)
            #expect(try full.inputs[index].witness == [spending["expected"]["witness"][0].bytes])
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
