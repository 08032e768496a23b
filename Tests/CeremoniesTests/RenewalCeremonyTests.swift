import Curves
internal import HDKeys
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdECDSA
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Renewal: the ceremony")
struct RenewalCeremonyTests {
    @Test(
        "all receivers end with shares of the same keys: refresh, repair, and moves to more and fewer shares",
        arguments: [
            (2, 3, [1, 2, 3], 2, 3), (2, 3, [1, 2], 2, 3), (2, 3, [2, 3], 2, 3), (2, 3, [1, 3], 3, 5),
            (3, 5, [1, 2, 3, 4, 5], 2, 3), (3, 5, [3, 4, 5], 2, 2), (2, 2, [1, 2], 2, 15),
        ])
    func honest(_ threshold: Int, _ total: Int, _ dealers: [Int], _ newThreshold: Int, _ newTotal: Int) async throws {
        let wallet = try KnownWallet(threshold: threshold, total: total, epoch: 6)
        let renewers = try Renewers(of: wallet, dealers: dealers, to: newThreshold, of: newTotal)
        try await renewers.run()
        var groups: [GroupKeys] = []
        for participant in renewers.participants where renewers.terms.isReceiver(participant.index) {
            let shares = try await participant.takeShares()
            let (index, epoch, banned) = (shares.index.value, shares.ecdsa.epoch, shares.ecdsa.banned)
            #expect(index == participant.index && epoch == 7 && banned.isEmpty)
            groups.append(shares.groups)
        }
        #expect(groups.count == newTotal && groups.allSatisfy { $0 == groups.first })
        let keys = try #require(groups.first)
        #expect(keys.isSameKeys(as: wallet.keys.groups) && keys != wallet.keys.groups)
        #expect(keys.parameters == renewers.terms.parameters)
        #expect(keys.publicKeys == wallet.keys.groups.publicKeys)
    }

    @Test("a share is available only after the last certificate, and once; a participant that only deals gets none")
    func once() async throws {
        let wallet = try KnownWallet(threshold: 2, total: 3)
        let early = try Renewers(of: wallet, dealers: [1, 2, 3])
        #expect(await early.groups().isEmpty)
        let renewers = try Renewers(of: wallet, dealers: [1, 2, 3], to: 2, of: 2)
        try await renewers.run()
        #expect(await renewers.groups().count == 2)
        #expect(await renewers.groups().isEmpty)
    }

    @Test("epoch_mixing: shares from before and after a renewal do not sign together")
    func mixing() async throws {
        let wallet = try KnownWallet()
        let renewers = try Renewers(of: wallet, dealers: [1, 2, 3])
        try await renewers.run()
        let new = try await renewers.participants[0].takeShares()
        let renewed = WalletKeys(new.groups, on: .regtest, imported: nil)
        let payment = try Payment(from: renewed.accounts.taproot)
        let proposed = try ProposedPayload(try payment.psbt, from: renewed)
        let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
        let participants: [any Participant] = [
            SigningParticipant(
                keys: new, network: .regtest, imported: nil,
                authorizer: ConfirmedIntent(confirmed.digest, asking: PolicyAuthorizer(now: 0)), ledger: nil,
                random: SystemRandom()),
            SigningParticipant(
                keys: try wallet.shares(2), network: .regtest, imported: nil,
                authorizer: ConfirmedIntent(confirmed.digest, asking: PolicyAuthorizer(now: 0)), ledger: nil,
                random: SystemRandom()),
        ]
        let failure = await failure { () async throws(CeremonyError) in
            try await confirmed.sign(with: participants, random: SystemRandom())
        }
        #expect(failure == .threshold(.wrongGroup))
    }

    @Test("too few, too many or misordered participants are refused")
    func wrongHolders() async throws {
        let renewers = try Renewers(of: try KnownWallet(), dealers: [1, 2, 3])
        let all = renewers.participants
        for (others, count) in [([all[0], all[1]], 2), ([all[0], all[2], all[1]], 3), (all + [all[0]], 4)] {
            let failure = await failure { () async throws(CeremonyError) in try await renewers.run(with: others) }
            #expect(failure == .wrongNumberOfShares(needed: 3, given: count))
        }
        try await renewers.run()
    }

    @Test("shares that differ from the terms are not dealt")
    func wrongShares() throws {
        let wallet = try KnownWallet()
        let terms = try Renewers(of: wallet, dealers: [1, 2]).terms
        func refused(_ index: Int, _ brought: consuming DealerInput) {
            do {
                _ = try SharingParticipant(index: index, terms: terms, bringing: brought, random: SystemRandom())
                Issue.record("taken")
            } catch { #expect(error == .threshold(.wrongGroup)) }
        }
        // No share for a dealer; a share for a participant that does not deal; another key's; one from before a
        // renewal.
        refused(1, .nothing)
        refused(3, .shares(try wallet.shares(3)))
        refused(1, .shares(try KnownWallet(0x44).shares(1)))
        refused(1, .shares(try wallet.renewed().shares(1)))
    }
}
