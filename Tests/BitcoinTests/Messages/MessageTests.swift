import BitcoinTestSupport
import Curves
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Signed messages")
struct MessageTests {
    /// BIP-322's own examples, also for a clone without vectors.
    private static let address = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"
    private static let empty =
        "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hY"
        + "jgGu6EBCPMVPwVIVJqO4XCsMvViHI="

    private static func checked(_ text: String) throws -> Address<Checked> { try Address(text).require(.mainnet) }

    private static func verdict(_ signature: String, _ message: String, by address: String) throws -> MessageVerdict {
        try MessageSignature(signature).verdict(on: Array(message.utf8), by: checked(address))
    }

    @Test("the standard's examples: hashes, transactions, a signature")
    func examples() throws {
        let script = try Self.checked(Self.address).scriptPubKey
        for (message, hash, toSpend, toSign) in [
            (
                "", "c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1",
                "c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7",
                "1e9654e951a5ba44c8604c4de6c67fd78a27e81dcadcfe1edf638ba3aaebaed6"
            ),
            (
                "Hello World", "f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a",
                "b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b",
                "88737ae86f2077145f93cc4b153ae9a1cb8d56afa511988c149c5c8c9d93bddf"
            ),
        ] {
            let bytes = Array(message.utf8)
            let transactions = MessageTransactions(bytes, to: script)
            #expect(MessageTransactions.hash(of: bytes) == hex(hash))
            #expect(transactions.toSpend.id.description == toSpend)
            #expect(transactions.toSign.id.description == toSign)
        }
        #expect(try Self.verdict(Self.empty, "", by: Self.address) == .valid)
        #expect(try Self.verdict("smp" + Self.empty, "", by: Self.address) == .valid)
        #expect(try Self.verdict(Self.empty, " ", by: Self.address) == .invalid)
        #expect(try MessageSignature(Self.empty).text == "smp" + Self.empty)
    }

    @Test("each account signs with the same requests as for a spend, and Bitcoin Core's engine accepts the result")
    func signing() throws {
        let signer = try LoneSigner.withBothKeys()
        let path = try AddressPath(.receive, index: 1)
        let keys = [
            DerivedKey.taproot(try signer.account.key(at: path)), .segwit(try signer.segwit.key(at: path)),
        ]
        for key in keys {
            let message = MessageToSign(Array("I hold this. ✓".utf8), by: key)
            let request = message.signingRequest
            #expect(request.input == 0 && request.key == key && request.sighashType.coversEverything)
            let raw = try signer.signature(for: request)
            let signature = try message.signature(from: raw)
            let address = try #require(Address<Checked>(key.scriptPubKey, on: .regtest))
            #expect(signature.verdict(on: message.message, by: address) == .valid)
            #expect(try MessageSignature(signature.text) == signature)
            #expect(try MessageSignature(signature.base64) == signature)
            #expect(signature.text == "smp" + signature.base64)
            #expect(signature.verdict(on: message.message + [0], by: address) == .invalid)
            for other in keys where other != key {
                let theirs = try #require(Address<Checked>(other.scriptPubKey, on: .regtest))
                #expect(signature.verdict(on: message.message, by: theirs) != .valid)
            }
            // A signature of another message does not become one of this message.
            var changed = raw
            changed[40] ^= 1
            #expect(throws: BitcoinError.badSignature(input: 0)) { try message.signature(from: changed) }
            let another = MessageToSign(message.message + [0], by: key)
            #expect(another.hash != message.hash && another.signingRequest.message != request.message)
            #expect(throws: BitcoinError.badSignature(input: 0)) { try another.signature(from: raw) }
            guard Peer.python.isExpected, case .simple(let witness) = signature.form else { continue }
            let transactions = MessageTransactions(message.message, to: key.scriptPubKey)
            var signed = transactions.toSign
            signed.inputs[0].witness = witness
            let coin = TestSupport.Coin(
                txid: transactions.toSpend.id.description, vout: 0, value: 0, scriptPubKey: hex(key.scriptPubKey.bytes))
            #expect(try Kernel.verdicts(on: hex(signed.encoded), spending: [coin]) == [true])
        }
    }

    @Test("a payment request cannot sign a message: a worthless own output is not spent")
    func disguised() throws {
        let signer = try LoneSigner.withBothKeys()
        let path = try AddressPath(.receive, index: 1)
        for key in [DerivedKey.taproot(try signer.account.key(at: path)), .segwit(try signer.segwit.key(at: path))] {
            let message = MessageToSign(Array("I owe you".utf8), by: key)
            let transactions = MessageTransactions(message.message, to: key.scriptPubKey)
            let psbt = try PSBT(transactions.toSign, previousTransactions: [transactions.toSpend])
            let summary = SpendSummary(of: psbt, for: signer.ownership)
            #expect(summary.refusals == [.worthlessInput(input: 0)] && summary.signingRequests.isEmpty)
        }
        // A foreign input is allowed: it is not our signature.
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 0, .max))
        #expect(SpendSummary(of: try draft.psbt, for: signer.ownership).refusals.isEmpty)
    }

    @Test("a full signature belongs to the right transaction, and reports its lock times")
    func full() throws {
        let signer = try LoneSigner.withBothKeys()
        let key = try signer.account.key(at: AddressPath(.receive, index: 0))
        let address = try #require(Address<Checked>(key.scriptPubKey, on: .regtest))
        let message = Array("full".utf8)
        let transactions = MessageTransactions(message, to: key.scriptPubKey)
        func signed(
            version: UInt32 = 0, lockTime: UInt32 = 0, sequence: UInt32 = 0, type: SighashType = .default,
            outputs: [TransactionOutput] = [MessageTransactions.output], from: OutPoint? = nil, scriptSig: [UInt8] = [],
            extra: [TransactionInput] = [], annex: [[UInt8]] = []
        ) throws -> MessageSignature {
            let outPoint = from ?? transactions.toSign.inputs[0].previousOutput
            var transaction = Transaction(
                version: version, inputs: [TransactionInput(previousOutput: outPoint, sequence: sequence)],
                outputs: outputs, lockTime: lockTime)
            let hash = try TaprootSighash(transaction, spending: [transactions.spent]).hash(input: 0, type: type)
            let signature = try signer.signature(
                for: SigningRequest(input: 0, message: hash, sighashType: type, key: .taproot(key)))
            transaction.inputs[0].witness = [signature + (type == .default ? [] : [type.rawValue])] + annex
            transaction.inputs[0].scriptSig = scriptSig
            transaction.inputs += extra
            return try MessageSignature("ful" + MessageSignature(.full(transaction)).base64)
        }
        func verdict(_ signature: MessageSignature) -> MessageVerdict { signature.verdict(on: message, by: address) }
        #expect(try verdict(signed()) == .valid && verdict(signed(version: 2)) == .valid)
        #expect(try verdict(signed(type: .all)) == .valid)
        #expect(try verdict(signed(lockTime: 9)) == .validAt(lockTime: 9, sequence: 0))
        #expect(try verdict(signed(version: 2, sequence: 7)) == .validAt(lockTime: 0, sequence: 7))
        #expect(try verdict(signed(version: 1)) == .inconclusive && verdict(signed(version: 3)) == .inconclusive)
        let extra = TransactionInput(previousOutput: try Draft.outPoint(1), sequence: 0)
        #expect(try verdict(signed(extra: [extra])) == .inconclusive)
        #expect(try verdict(signed(annex: [[0x50]])) == .inconclusive)
        #expect(try verdict(signed(from: Draft.outPoint(1))) == .invalid)
        #expect(try verdict(signed(scriptSig: [0x51])) == .invalid)
        let paying = TransactionOutput(amount: try Amount(satoshis: 1), scriptPubKey: ScriptPubKey(.opReturn))
        for outputs in [
            [paying], [MessageTransactions.output, paying],
            [TransactionOutput(amount: .zero, scriptPubKey: Draft.bob)],
        ] {
            #expect(try verdict(signed(outputs: outputs)) == .invalid)
        }
        for type: SighashType in [.none, .single, .allAnyoneCanPay, .noneAnyoneCanPay] {
            #expect(try verdict(signed(type: type)) == .invalid, "\(type)")
        }
        let psbt = try PSBT(transactions.toSign, previousOutputs: [transactions.spent])
        let simple = MessageToSign(message, by: .taproot(key))
        let raw = try signer.signature(for: simple.signingRequest)
        #expect(psbt.inputs.count == 1)
        for witness in [[], [[]], [raw + [0]], [raw + [1]], [Array(raw.dropLast())]] {
            #expect(verdict(MessageSignature(.simple(witness))) == .invalid)
        }
        // A foreign script leaves the result unknown.
        for kind: ScriptPubKey.Kind in [
            .p2wsh(scriptHash: [UInt8](repeating: 1, count: 32)), .p2pkh(keyHash: [UInt8](repeating: 1, count: 20)),
            .p2sh(scriptHash: [UInt8](repeating: 1, count: 20)),
        ] {
            let other = try #require(Address<Checked>(ScriptPubKey(kind), on: .regtest))
            #expect(simple.message == message)
            #expect(MessageSignature(.simple([raw])).verdict(on: message, by: other) == .inconclusive)
        }
    }

    @Test("a P2WPKH signature of another type than ALL is invalid")
    func types() throws {
        let signer = try LoneSigner.withBothKeys()
        let key = try signer.segwit.key(at: AddressPath(.receive, index: 0))
        let address = try #require(Address<Checked>(key.scriptPubKey, on: .regtest))
        let transactions = MessageTransactions([], to: key.scriptPubKey)
        for type in SighashType.allCases where type != .default {
            let hash = try SegwitSighash(transactions.toSign, spending: [transactions.spent]).hash(input: 0, type: type)
            let compact = try signer.signature(
                for: SigningRequest(input: 0, message: hash, sighashType: type, key: .segwit(key)))
            let witness = [try ECDSASignature(compact: compact).der + [type.rawValue], key.publicKey.encoded]
            #expect(
                MessageSignature(.simple(witness)).verdict(on: [], by: address) == (type == .all ? .valid : .invalid))
        }
    }

    @Test("text that is not a signature, or of another kind, is refused by name")
    func texts() throws {
        let legacy = Base64.encode([31] + [UInt8](repeating: 7, count: 64))
        let cases: [(String, MessageSignature.Fault)] = [
            ("", .malformed), ("smp", .malformed), ("ful", .malformed), ("smp!", .malformed), ("fooAA==", .malformed),
            ("ful" + Self.empty, .malformed), ("smp" + Self.empty + "=", .malformed), (Self.empty + "\n", .malformed),
            ("smpAA", .malformed), (legacy, .legacy), ("pof" + Self.empty, .proofOfFunds),
            (String(repeating: "A", count: 32_769), .tooLong(limit: 32_768)),
            (Base64.encode([1, 1, 7, 0]), .malformed),
        ]
        for (text, fault) in cases {
            #expect(throws: fault, "\(text.prefix(20))") { try MessageSignature(text) }
        }
        let full = MessageSignature(.full(MessageTransactions([], to: Draft.bob).toSpend))
        #expect(try MessageSignature(full.text) == full && MessageSignature(full.base64) == full)
        #expect(throws: MessageSignature.Fault.malformed) { try MessageSignature("smp" + full.base64) }
        for header: UInt8 in [27, 42] {
            let text = Base64.encode([header] + [UInt8](repeating: 7, count: 64))
            #expect(throws: MessageSignature.Fault.legacy) { try MessageSignature(text) }
        }
        #expect(Set(cases.map(\.1.description)).count == 4)
        #expect(try Self.verdict("smpAA==", "", by: Self.address) == .invalid)
    }

    @Test("a mutated signature is refused, or written unchanged, and never valid")
    func fuzz() throws {
        let address = try Self.checked(Self.address)
        let simple = try MessageSignature(Self.empty)
        guard case .simple(let witness) = simple.form else { throw HDKeyError.badKey }
        var full = MessageTransactions([], to: address.scriptPubKey).toSign
        full.inputs[0].witness = witness
        let seeds = [simple.text, simple.base64, MessageSignature(.full(full)).text]
        Fuzz.mutations(of: seeds.map { Array($0.utf8) }, iterations: 6_000) { bytes in
            guard let text = String(validating: bytes, as: UTF8.self), let read = try? MessageSignature(text) else {
                return
            }
            guard read.text == text || read.base64 == text else { throw BitcoinError.badAmount }
            // ECDSA signatures with low s are unique for their nonce: another witness that is valid would be a forgery.
            let isSame = read == simple || read == MessageSignature(.full(full))
            guard isSame || ![.valid].contains(read.verdict(on: [], by: address)) else {
                throw BitcoinError.badSignature(input: 0)
            }
        }
    }
}

@Suite("BIP-322 vectors")
struct MessageVectorTests {
    @Test("messages have the standard's hashes, and its two transactions their identifiers")
    func hashes() throws {
        for test in try Vectors.json("bip322")["hashes"].array(of: 3) {
            let message = Array(try test["message"].string.utf8)
            let script = try Address(test["address"].string).require(.mainnet).scriptPubKey
            let transactions = MessageTransactions(message, to: script)
            #expect(try MessageTransactions.hash(of: message) == test["hash"].bytes)
            #expect(try transactions.toSpend.id.description == test["to_spend"].string)
            #expect(try transactions.toSign.id.description == test["to_sign"].string)
        }
    }

    @Test(
        "signatures by a key are valid, and those by a script never invalid", arguments: [("simple", 8), ("full", 10)])
    func valid(_ form: String, _ count: Int) throws {
        var verdicts: [MessageVerdict: Int] = [:]
        for test in try Vectors.json("bip322")[form].array(of: count) {
            let address = try Address(test["address"].string).require(.mainnet)
            let message = Array(try test["message"].string.utf8)
            let type = try test["type"].string
            let isKey = ["p2wpkh", "p2tr"].contains(type)
            for text in try test["signatures"].array {
                let signature = try MessageSignature(text.string)
                #expect(try [signature.text, signature.base64].contains(text.string))
                let verdict = signature.verdict(on: message, by: address)
                verdicts[verdict, default: 0] += 1
                let expected: MessageVerdict =
                    !isKey ? .inconclusive : form == "simple" ? .valid : .validAt(lockTime: 2_016, sequence: 2_016)
                #expect(verdict == expected, "\(type)")
            }
        }
        #expect(
            verdicts
                == (form == "simple"
                    ? [.valid: 7, .inconclusive: 3]
                    : [.validAt(lockTime: 2_016, sequence: 2_016): 2, .inconclusive: 8]))
    }

    @Test("single keys make the standard's signatures exactly, where those are not random")
    func signing() throws {
        let test = try Vectors.json("bip322")["simple"].array(of: 8)[0]
        let payload = try Base58Check.decode(test["keys"][0].string)
        let secret = try Scalar<Secp256k1>(canonical: payload[1..<33])
        let point = Secp256k1.Point.generator.multipliedVariableTime(by: secret)
        let key = DerivedSegwitKey(path: try AddressPath(.receive, index: 0), tweak: .zero, publicKey: point)
        let message = MessageToSign([], by: .segwit(key))
        let raw = try ECDSASignature.sign(message: message.signingRequest.message, key: SecretScalar(secret))
        let signature = try message.signature(from: raw.compact)
        #expect(try test["signatures"].array.map { try $0.string }.contains(signature.text))
    }

    @Test("the standard's invalid examples are never valid, and those of keys are invalid or malformed")
    func errors() throws {
        for test in try Vectors.json("bip322")["errors"].array(of: 36) {
            let address = try Address(test["address"].string).require(.mainnet)
            let message = Array(try test["message"].string.utf8)
            // The content of a well-formed signature, or its form.
            let wrong = try test["wrong"].string
            guard let signature = try? MessageSignature(test["signature"].string) else {
                #expect(wrong == "form", "\(address)")
                continue
            }
            let verdict = signature.verdict(on: message, by: address)
            let isKey: Bool =
                switch address.scriptPubKey.kind {
                case .p2wpkh: true
                case .p2tr: try !test["is_time_locked"].bool
                default: false
                }
            // The second transaction of a wrong message does not spend the first one's output.
            #expect(verdict == .invalid || !isKey && verdict == .inconclusive, "\(address)")
        }
    }

    @Test("proofs of funds are refused by name")
    func proofs() throws {
        for test in try Vectors.json("bip322")["proofs_of_funds"].array(of: 3) {
            for text in try test["signatures"].array(of: 1) {
                #expect(throws: MessageSignature.Fault.proofOfFunds) { try MessageSignature(text.string) }
            }
        }
    }
}
