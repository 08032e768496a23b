import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Ownership")
struct OwnershipTests {
    @Test("an address beyond the scanned ones is found by the PSBT's path, and reported")
    func claims() throws {
        let signer = try LoneSigner()
        let path = try AddressPath(.change, index: 70)
        let key = try signer.account.key(at: path)
        var draft = try Draft.payment(by: signer)
        draft.outputs[1].script = key.scriptPubKey
        let psbt = try draft.psbt
        #expect(SpendSummary(of: psbt, for: signer.ownership).outputs[1].path == nil)
        let claimed = try psbt.adding([0x07] + key.internalKey, derivation(signer.account, [1, 70]), toMap: 3)
        let summary = SpendSummary(of: claimed, for: signer.ownership)
        #expect(summary.outputs[1].path == path)
        #expect(summary.warnings == [.farIndex(output: 1, path: path)])
        #expect(summary.refusals.isEmpty)
    }

    @Test("an input beyond the scanned ones is signed by the PSBT's path")
    func inputClaim() throws {
        let signer = try LoneSigner()
        let key = try signer.account.key(at: AddressPath(.receive, index: 900))
        var draft = try Draft.payment(by: signer)
        draft.inputs[0].script = key.scriptPubKey
        let psbt = try draft.psbt
        #expect(SpendSummary(of: psbt, for: signer.ownership).refusals == [.noInputOfOurs])
        let claimed = try psbt.adding([0x16] + key.internalKey, derivation(signer.account, [0, 900]), toMap: 1)
        #expect(SpendSummary(of: claimed, for: signer.ownership).signingRequests.map(\.key) == [.taproot(key)])
    }

    @Test("change that is not at its claimed path is shown as a payment to others, and refused")
    func falseChange() throws {
        let signer = try LoneSigner()
        let ours = try signer.account.key(at: AddressPath(.change, index: 0))
        let thief = try LoneSigner(secret: 1_234)
        let theirs = try thief.account.key(at: AddressPath(.change, index: 0))
        var draft = try Draft.payment(by: signer)
        draft.outputs[1].script = theirs.scriptPubKey
        let psbt = try draft.psbt
        let leaf = [UInt8](repeating: 5, count: 32)
        let origin = derivation(signer.account, [1, 0])
        // A foreign key under our fingerprint, our key with wrong paths, and a leaf of a script.
        for (key, value) in [
            (theirs.internalKey, origin), (ours.internalKey, origin),
            (theirs.internalKey, derivation(signer.account, [1, 500])),
            (ours.internalKey, derivation(signer.account, [2, 0])), (ours.internalKey, derivation(signer.account, [])),
            (ours.internalKey, derivation(signer.account, [1, 1 << 31])),
            (ours.internalKey, [1] + leaf + origin.dropFirst()),
        ] {
            let summary = SpendSummary(of: try psbt.adding([0x07] + key, value, toMap: 3), for: signer.ownership)
            #expect(summary.outputs[1].path == nil)
            #expect(summary.refusals == [.falseOutputClaim(output: 1)])
            #expect(summary.paid.satoshis == 99_000 && summary.returned == .zero)
        }
        // Under another fingerprint the claim is not about us.
        let other = derivation(thief.account, [1, 0])
        let summary = SpendSummary(
            of: try psbt.adding([0x07] + theirs.internalKey, other, toMap: 3), for: signer.ownership)
        #expect(summary.refusals.isEmpty && summary.outputs[1].path == nil)
    }

    @Test("a false claim about an own output does not hide that it is own, and is refused")
    func wrongClaim() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let path = try AddressPath(.change, index: 0)
        let key = try signer.account.key(at: path)
        let origin = derivation(signer.account, [1, 0])
        let leaf = [UInt8](repeating: 5, count: 32)
        // Another path, another key at the right one, and a leaf of a script.
        for (claimed, value) in [
            (key.internalKey, derivation(signer.account, [1, 1])), (key.outputKey, origin),
            (key.internalKey, [1] + leaf + origin.dropFirst()),
        ] {
            let summary = SpendSummary(
                of: try psbt.adding([0x07] + claimed, value, toMap: 3), for: signer.ownership)
            #expect(summary.outputs[1].path == path)
            #expect(summary.refusals == [.falseOutputClaim(output: 1)])
        }
    }

    @Test("a P2WPKH address beyond the scanned ones is found by the PSBT's path")
    func segwitClaims() throws {
        let signer = try LoneSigner.withBothKeys()
        let far = try AddressPath(.receive, index: 900)
        let key = try signer.segwit.key(at: far)
        var draft = try Draft.segwitPayment(by: signer)
        draft.inputs[0].script = key.scriptPubKey
        draft.outputs[1].script = key.scriptPubKey
        let psbt = try draft.provenPSBT
        #expect(SpendSummary(of: psbt, for: signer.ownership).refusals == [.noInputOfOurs])
        let origin = derivation(try signer.segwit, [0, 900])
        var claimed = try psbt.replacing(0x06, data: key.publicKey.encoded, with: origin, ofInput: 0)
        claimed.outputs[1].map = try claimed.outputs[1].map.with(0x02, key.publicKey.encoded, origin)
        let summary = SpendSummary(of: try PSBT(decoding: claimed.encoded), for: signer.ownership)
        #expect(summary.signingRequests.map(\.key) == [.segwit(key)])
        #expect(summary.outputs[1].path == far && summary.warnings == [.highIndex(output: 1, path: far)])
    }

    @Test("a false claim about P2WPKH is refused: another's key, another path, another account, another kind of output")
    func falseSegwitClaims() throws {
        let signer = try LoneSigner.withBothKeys()
        let thief = try LoneSigner(secret: 77, ecdsa: 1_234)
        let path = try AddressPath(.change, index: 0)
        let ours = try signer.segwit.key(at: path).publicKey.encoded
        let theirs = try thief.segwit.key(at: path).publicKey.encoded
        let account = try signer.segwit
        let taproot = try signer.account.key(at: path).internalKey
        for script in [try thief.segwit.key(at: path).scriptPubKey, try thief.script(.change, 0)] {
            var draft = try Draft.segwitPayment(by: signer)
            draft.outputs[1].script = script
            let psbt = try draft.provenPSBT
            for (type, key, value) in [
                (0x02, theirs, derivation(account, [1, 0])), (0x02, ours, derivation(account, [1, 0])),
                (0x02, ours, derivation(account, [2, 0])), (0x02, ours, derivation(account, [])),
                (0x02, ours, derivation(account, [1, 1 << 31])), (0x02, ours, derivation(account, [1, 0, 0])),
                // Under the fingerprint of the other account.
                (0x02, ours, Array(derivation(signer.account, [1, 0]).dropFirst())),
                (0x07, taproot, [0] + derivation(account, [1, 0])),
                (0x07, taproot, derivation(signer.account, [1, 0])),
            ] as [(UInt64, [UInt8], [UInt8])] {
                var claimed = psbt
                claimed.outputs[1].map = try psbt.outputs[1].map.with(type, key, value)
                let summary = SpendSummary(of: try PSBT(decoding: claimed.encoded), for: signer.ownership)
                #expect(summary.refusals == [.falseOutputClaim(output: 1)], "\(hex(value))")
                #expect(summary.outputs[1].path == nil && summary.returned == .zero)
                let input = try psbt.replacing(type == 0x02 ? 0x06 : 0x16, data: key, with: value, ofInput: 0)
                let refusals = SpendSummary(of: input, for: signer.ownership).refusals
                #expect(refusals.contains(.falseInputClaim(input: 0)), "\(hex(value))")
            }
            // Under another fingerprint the claim is not about us.
            var other = psbt
            other.outputs[1].map = try psbt.outputs[1].map.with(0x02, theirs, derivation(thief.segwit, [1, 0]))
            #expect(SpendSummary(of: other, for: signer.ownership).refusals.isEmpty)
        }
    }

    @Test("a false claim about an own P2WPKH output does not hide that it is own, and is refused")
    func wrongSegwitClaim() throws {
        let signer = try LoneSigner.withBothKeys()
        let psbt = try Draft.segwitPayment(by: signer).provenPSBT
        let path = try AddressPath(.change, index: 0)
        let key = try signer.segwit.key(at: path).publicKey
        let account = try signer.segwit
        for (claimed, origin) in [
            (key, derivation(account, [1, 1])), (-key, derivation(account, [1, 0])),
            (.generator, derivation(account, [1, 0])),
        ] {
            var wrong = psbt
            wrong.outputs[1].map = try psbt.outputs[1].map.with(0x02, claimed.encoded, origin)
            let summary = SpendSummary(of: wrong, for: signer.ownership)
            #expect(summary.outputs[1].path == path)
            #expect(summary.refusals == [.falseOutputClaim(output: 1)])
        }
    }

    @Test("an ownership without accounts owns nothing, and the summary is still made")
    func nobody() throws {
        let psbt = try Draft.payment(by: LoneSigner()).psbt
        let summary = SpendSummary(of: psbt, for: .nobody(on: .mainnet))
        #expect(summary.refusals == [.noInputOfOurs])
        #expect(summary.fee?.satoshis == 1_000)
        #expect(summary.outputs[0].address?.description.hasPrefix("bc1q") == true)
        #expect(summary.intentDigest.count == 32)
    }
}
