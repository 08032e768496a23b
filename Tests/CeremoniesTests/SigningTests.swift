internal import Bitcoin
import Curves
internal import HDKeys
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Signing")
struct SigningTests {
    @Test(
        "each pair of three shares signs, in either order, and the signature verifies under the output's key",
        arguments: [[1, 2], [1, 3], [2, 3], [3, 1]])
    func pairs(_ indices: [Int]) async throws {
        // The group key of 0x11… has an odd y, that of 0x16… an even one.
        for byte in [UInt8(0x11), 0x16] {
            let wallet = try KnownWallet(byte)
            let payment = try Payment(from: wallet)
            let spend = try payment.confirmed(from: wallet)
            let signed = try await spend.sign(with: wallet.participants(indices, of: spend), random: SystemRandom())
                .psbt
            #expect(try payment.isSigned(in: signed))
            #expect(signed.unsignedTransaction == (try payment.psbt).unsignedTransaction)
            #expect(try signed.finalised().transaction().inputs.map(\.witness.count) == [1])
        }
    }

    @Test("the keys under test cover both parities")
    func parities() throws {
        let parities = try [UInt8(0x11), 0x16].map { try KnownWallet($0).keys.groups.schnorr.publicKey.hasEvenY }
        #expect(Set(parities).count == 2)
    }

    @Test("each of the wallet's inputs is signed; those of others are left alone")
    func inputs() async throws {
        let wallet = try KnownWallet()
        let payment = try Payment(from: wallet, inputs: 3)
        let spend = try payment.confirmed(from: wallet)
        let signed = try await spend.sign(with: wallet.participants([1, 2], of: spend), random: SystemRandom()).psbt
        #expect(try payment.isSigned(in: signed))

        var shared = payment
        shared.inputs[1].script = Payment.bob
        let sharedSpend = try shared.confirmed(from: wallet)
        let partly = try await sharedSpend.sign(
            with: wallet.participants([1, 2], of: sharedSpend), random: SystemRandom()
        ).psbt
        #expect(partly.inputs.map { $0.tapKeySignature != nil } == [true, false, true])
    }

    @Test("three of five sign, and so do two of two")
    func otherThresholds() async throws {
        for (threshold, total, indices) in [(3, 5, [2, 4, 5]), (2, 2, [1, 2]), (15, 15, Array(1...15))] {
            let wallet = try KnownWallet(0x01, threshold: threshold, total: total)
            let payment = try Payment(from: wallet)
            let spend = try payment.confirmed(from: wallet)
            let signed = try await spend.sign(with: wallet.participants(indices, of: spend), random: SystemRandom())
                .psbt
            #expect(try payment.isSigned(in: signed))
        }
    }

    @Test("no two sessions give the same signature")
    func fresh() async throws {
        let wallet = try KnownWallet()
        let confirmed = try Payment(from: wallet).confirmed(from: wallet)
        let first = try await confirmed.sign(with: wallet.participants([1, 2], of: confirmed), random: SystemRandom())
            .psbt
        let second = try await confirmed.sign(with: wallet.participants([1, 2], of: confirmed), random: SystemRandom())
            .psbt
        #expect(first.inputs[0].tapKeySignature != second.inputs[0].tapKeySignature)
    }

    @Test(
        "participants that are too few, too many, or the same twice do not begin",
        arguments: [[], [1], [1, 2, 3], [2, 2], [1, 2, 2]])
    func wrongNumber(_ indices: [Int]) async throws {
        let wallet = try KnownWallet()
        let confirmed = try Payment(from: wallet).confirmed(from: wallet)
        let participants = try wallet.participants(indices, of: confirmed)
        let failure = await failure { () async throws(CeremonyError) in
            try await confirmed.sign(with: participants, random: SystemRandom())
        }
        #expect(failure == .wrongNumberOfShares(needed: 2, given: Set(indices).count))
    }

    @Test("a participant with an index that the wallet does not have is refused", arguments: [0, 4, -1, 256, 300])
    func wrongIndex(_ index: Int) async throws {
        let wallet = try KnownWallet()
        let confirmed = try Payment(from: wallet).confirmed(from: wallet)
        let stranger = MiddleMan(try wallet.participant(2, of: confirmed), posingAs: index) { $0.bytes }
        let first = try wallet.participant(1, of: confirmed)
        let failure = await failure { () async throws(CeremonyError) in
            try await confirmed.sign(with: [first, stranger], random: SystemRandom())
        }
        #expect(failure == .noSuchShare(index: index))
    }

    @Test("a confirmation is for one digest, and never for a payload with a refusal")
    func confirmation() throws {
        let wallet = try KnownWallet()
        let payment = try Payment(from: wallet)
        let proposed = try ProposedPayload(try payment.psbt, from: wallet.keys)
        var other = payment
        other.outputs[0].satoshis -= 1
        let digest = try ProposedPayload(try other.psbt, from: wallet.keys).intent.digest
        for wrong in [digest, [], Array(proposed.intent.digest.dropLast())] {
            #expect(throws: CeremonyError.notWhatWasConfirmed) { try proposed.confirmed(wrong, accepting: []) }
        }
        #expect(throws: Never.self) { try proposed.confirmed(proposed.intent.digest, accepting: []) }

        var refused = payment
        refused.outputs[0].satoshis = 200_000
        let summary = try ProposedPayload(try refused.psbt, from: wallet.keys)
        #expect(throws: CeremonyError.refused([.outputsExceedInputs])) {
            try summary.confirmed(summary.intent.digest, accepting: [])
        }
        // The same payload on another network is another intent.
        let elsewhere = try ProposedPayload(try payment.psbt, from: try KnownWallet(network: .mainnet).keys)
        #expect(throws: CeremonyError.notWhatWasConfirmed) {
            try elsewhere.confirmed(proposed.intent.digest, accepting: [])
        }
    }
}
