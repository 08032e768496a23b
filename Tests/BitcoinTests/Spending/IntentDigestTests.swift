import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Intent digests")
struct IntentDigestTests {
    private func digest(
        _ network: Network = .regtest, secret: UInt64 = 7, change: (inout Draft) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        try change(&draft)
        let asking = try LoneSigner(secret: secret, network: network)
        let psbt = try draft.psbt
        let digest = psbt.intentDigest(for: asking.accounts)
        #expect(SpendSummary(of: psbt, for: asking.ownership).intentDigest == digest)
        return digest
    }

    @Test("the digest is the documented hash")
    func golden() throws {
        #expect(hex(try digest()) == "69cb6413555e37ed5eb389b20bace56292e729cced397a931c7600a6d40caab3")
    }

    @Test("any change of what is signed, by which account or on which chain changes the digest")
    func sensitive() throws {
        var digests: Set<[UInt8]> = [try digest()]
        var count = 1
        let changes: [(inout Draft) throws -> Void] = [
            { $0.version = 1 }, { $0.lockTime = 1 }, { $0.inputs[0].satoshis += 1 }, { $0.inputs[0].sequence -= 1 },
            { $0.inputs[0].script = Draft.bob }, { $0.outputs[0].satoshis += 1 },
            { $0.outputs[0].script = ScriptPubKey([]) },
            { $0.outputs.swapAt(0, 1) }, { $0.outputs.removeLast() }, { $0.inputs.append($0.inputs[0]) },
            { $0.inputs = [] }, { $0.outputs.append($0.outputs[0]) },
        ]
        for change in changes {
            digests.insert(try digest(change: change))
            count += 1
            #expect(digests.count == count)
        }
        for network in Network.allCases where network != .regtest {
            digests.insert(try digest(network))
            count += 1
        }
        digests.insert(try digest(secret: 8))
        #expect(digests.count == count + 1)
        let psbt = try Draft.payment(by: LoneSigner()).psbt
        digests.insert(SpendSummary(of: psbt, for: .nobody(on: .regtest)).intentDigest)
        #expect(digests.count == count + 2)
    }

    @Test("the outpoint and the types of signatures change the digest, an explicit default does not")
    func types() throws {
        let signer = try LoneSigner()
        let draft = try Draft.payment(by: signer)
        let psbt = try draft.psbt
        func digest(_ psbt: PSBT) -> [UInt8] { psbt.intentDigest(for: signer.accounts) }
        #expect(try digest(psbt.adding([0x03], [0, 0, 0, 0], toMap: 1)) == digest(psbt))
        #expect(try digest(psbt.adding([0x03], [1, 0, 0, 0], toMap: 1)) != digest(psbt))
        #expect(try digest(psbt.adding([0x03], [0, 1, 0, 0], toMap: 1)) != digest(psbt))
        #expect(try digest(PSBT(draft.transaction)) != digest(psbt))
        let first = try draft.transaction
        let input = TransactionInput(previousOutput: try Draft.outPoint(1), sequence: first.inputs[0].sequence)
        let other = Transaction(version: 2, inputs: [input], outputs: first.outputs, lockTime: 0)
        #expect(try digest(PSBT(other, previousOutputs: draft.previousOutputs)) != digest(psbt))
    }

    @Test("a second key of the wallet changes the digest, which is still the documented hash")
    func twoKeys() throws {
        let one = try LoneSigner()
        let both = try LoneSigner.withBothKeys()
        let psbt = try Draft.payment(by: one).psbt
        let digest = psbt.intentDigest(for: both.accounts)
        #expect(hex(digest) == "45128d0249eefda2d933d275810cc0e996cb75f677f5e7712ec5db0b8c1a6026")
        #expect(SpendSummary(of: psbt, for: both.ownership).intentDigest == digest)
        #expect(psbt.intentDigest(for: one.accounts) != digest)
        #expect(psbt.intentDigest(for: try LoneSigner(ecdsa: 8).accounts) != digest)
    }

    @Test("signatures and notes do not change the digest")
    func insensitive() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let digest = psbt.intentDigest(for: signer.accounts)
        #expect(try signer.sign(psbt).intentDigest(for: signer.accounts) == digest)
        #expect(try signer.sign(psbt).finalised().intentDigest(for: signer.accounts) == digest)
        let key = try signer.account.key(at: AddressPath(.change, index: 0))
        let noted = try psbt.adding([0x77], [1], toMap: 1)
            .adding([0x07] + key.internalKey, derivation(signer.account, [1, 0]), toMap: 3)
        #expect(noted.intentDigest(for: signer.accounts) == digest)
    }
}
