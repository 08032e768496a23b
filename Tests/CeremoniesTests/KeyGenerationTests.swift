import Curves
internal import HDKeys
import Secrets
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Key generation")
struct KeyGenerationTests {
    @Test(
        "all participants end with a share of one key",
        arguments: [(2, 3), (2, 2), (3, 5), (2, 15), (15, 15)])
    func honest(_ threshold: Int, _ total: Int) async throws {
        let newcomers = try Newcomers(threshold, of: total)
        try await newcomers.run()
        let groups = await newcomers.groups().compactMap(\.self)
        #expect(groups.count == total)
        #expect(groups.allSatisfy { $0 == groups.first })
        #expect(groups.first?.parameters == newcomers.parameters)
    }

    @Test("any two of three shares sign for the key, and no two runs make the same key")
    func usable() async throws {
        let newcomers = try Newcomers(2, of: 3)
        try await newcomers.run()
        var shares: [OneShot<KeyShares>] = []
        for participant in newcomers.participants { shares.append(OneShot(try await participant.takeShares())) }
        guard let first = shares[0].take(), let third = shares[2].take() else {
            Issue.record("no shares")
            return
        }
        let keys = first.groups
        let wallet = WalletKeys(keys, on: .regtest, imported: nil)
        let payment = try Payment(from: wallet.accounts.taproot)
        let proposed = try ProposedPayload(try payment.psbt, from: wallet)
        let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
        let signed = try await confirmed.sign(
            with: [
                SigningParticipant(
                    keys: first, network: .regtest, imported: nil,
                    authorizer: ConfirmedIntent(confirmed.digest, asking: PolicyAuthorizer(now: 0)), ledger: nil,
                    random: SystemRandom()),
                SigningParticipant(
                    keys: third, network: .regtest, imported: nil,
                    authorizer: ConfirmedIntent(confirmed.digest, asking: PolicyAuthorizer(now: 0)), ledger: nil,
                    random: SystemRandom()),
            ], random: SystemRandom()
        ).psbt
        #expect(try payment.isSigned(in: signed))

        let others = try Newcomers(2, of: 3)
        try await others.run()
        let other = try #require(await others.groups()[0])
        #expect(zip(other.publicKeys.all, keys.publicKeys.all).allSatisfy { $0 != $1 })
    }

    @Test("the share is available only after the certificate, and only once")
    func once() async throws {
        let parameters = try ThresholdParameters(threshold: 2, total: 2)
        for steps in 0..<11 {
            let newcomers = try Newcomers(2, of: 2)
            // The second one stops answering after some steps.
            let deserter = MiddleMan(newcomers.participants[1]) { passage in
                passage.step > steps && passage.direction == .request ? [] : passage.bytes
            }
            let failure = await failure { () async throws(CeremonyError) in
                try await newcomers.run(with: [newcomers.participants[0], deserter])
            }
            #expect(failure == .malformedMessage)
            // After the step before the last the first has the certificate, and may use its share.
            #expect(await newcomers.groups().map { $0 != nil } == [steps == 10, false])
        }
        let newcomers = try Newcomers(2, of: 2)
        #expect(newcomers.parameters == parameters)
        try await newcomers.run()
        let taken = await newcomers.groups().compactMap(\.self).count
        let takenAgain = await newcomers.groups().compactMap(\.self).count
        #expect((taken, takenAgain) == (2, 0))
    }

    @Test("requesting the share too early ends the ceremony for this participant")
    func early() async throws {
        let newcomers = try Newcomers(2, of: 2)
        #expect(await newcomers.groups().compactMap(\.self).isEmpty)
        #expect(
            await failure { () async throws(CeremonyError) in try await newcomers.run() } == .staleMessage)
    }

    @Test("a list of participants that is refused ends the ceremony for the participant: a right one comes too late")
    func refusedList() async throws {
        let newcomers = try Newcomers(2, of: 2)
        let session = CeremonyID(from: SystemRandom())
        func ask(
            _ kind: CeremonyMessage.Kind, _ payload: [UInt8], _ participant: SharingParticipant
        ) async throws(CeremonyError) -> [UInt8] {
            let request = CeremonyMessage(kind: kind, sender: 0, session: session, payload: payload)
            return try CeremonyMessage(decoding: try await participant.answer(request.encoded)).payload
        }
        var introductions: [[UInt8]] = []
        for participant in newcomers.participants {
            introductions.append(try await ask(.sharingRequest, [], participant))
        }
        let (right, wrong) = (MessageList.encode(introductions), MessageList.encode(introductions.reversed()))
        let participant = newcomers.participants[0]
        #expect(
            await failure { () async throws(CeremonyError) in try await ask(.sharingParticipants, wrong, participant) }
                == .threshold(.wrongGroup))
        #expect(
            await failure { () async throws(CeremonyError) in try await ask(.sharingParticipants, right, participant) }
                == .staleMessage)
        // The control: another participant, which was not asked before, takes the right list.
        _ = try await ask(.sharingParticipants, right, newcomers.participants[1])
    }

    @Test("a key generation that fails is aborted at every other participant")
    func aborted() async throws {
        let newcomers = try Newcomers(2, of: 3)
        let listener = MiddleMan(listeningTo: newcomers.participants[0])
        let deserter = MiddleMan(newcomers.participants[1]) { passage in
            passage.direction == .answer && passage.step == 3 ? [] : passage.bytes
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await newcomers.run(with: [listener, deserter, newcomers.participants[2]])
        }
        #expect(failure == .malformedMessage)
        let last = try CeremonyMessage(decoding: try #require(await listener.requests.last))
        #expect(last.kind == .abort)
    }

    @Test("too few, too many or misordered participants are refused")
    func wrongHolders() async throws {
        let newcomers = try Newcomers(2, of: 3)
        let all = newcomers.participants
        for (others, count) in [
            ([all[0], all[1]], 2), ([all[0], all[2], all[1]], 3), ([all[0], all[0], all[1]], 3), (all + [all[0]], 4),
        ] {
            let failure = await failure { () async throws(CeremonyError) in try await newcomers.run(with: others) }
            #expect(failure == .wrongNumberOfShares(needed: 3, given: count))
        }
        // None of them received a message.
        try await newcomers.run()
    }
}
