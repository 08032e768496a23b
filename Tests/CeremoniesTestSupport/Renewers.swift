import Secrets
import Threshold
import Wallet

@testable import Ceremonies

/// The participants of one renewal of a known wallet.
struct Renewers {
    let terms: SharingTerms
    let participants: [SharingParticipant]

    /// - Parameter dealers: the present participants that deal; those of the new shares are 1...n.
    init(of wallet: KnownWallet, dealers: [Int], to threshold: Int = 2, of total: Int = 3) throws {
        let terms = SharingTerms(
            renewing: wallet.keys.groups, epoch: wallet.epoch, dealers: dealers,
            parameters: try ThresholdParameters(threshold: threshold, total: total))
        self.terms = terms
        participants = try terms.indices.map { try Self.participant($0, wallet, terms) }
    }

    static func participant(_ index: Int, _ wallet: KnownWallet, _ terms: SharingTerms) throws -> SharingParticipant {
        try SharingParticipant(
            index: index, terms: terms,
            bringing: terms.isDealer(index) ? .shares(try wallet.shares(index)) : .nothing, random: SystemRandom())
    }

    func run() async throws(CeremonyError) { try await run(with: participants) }

    func run(with others: [any Participant]) async throws(CeremonyError) {
        try await SharingCeremony(terms: terms).run(with: others, random: SystemRandom())
    }

    /// The public keys of the new shares, for each participant that has some.
    func groups() async -> [GroupKeys] {
        var groups: [GroupKeys] = []
        for participant in participants {
            if let shares = try? await participant.takeShares() { groups.append(shares.groups) }
        }
        return groups
    }
}
