import Curves
internal import HDKeys
internal import Mnemonics
import Secrets
import TestSupport
import Threshold
import Wallet

@testable import Ceremonies

/// The participants of one import: the first has the keys, and the others have nothing yet.
struct Importers {
    let terms: SharingTerms
    let participants: [SharingParticipant]

    init(_ keys: consuming ImportedPrivateKeys, _ threshold: Int = 2, of total: Int = 3) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        let terms = SharingTerms(importing: keys.imported, parameters: parameters)
        self.terms = terms
        var participants = [
            try SharingParticipant(index: 1, terms: terms, bringing: .whole(keys), random: SystemRandom())
        ]
        for index in 2...total { participants.append(try Self.receiver(index, terms)) }
        self.participants = participants
    }

    static func receiver(_ index: Int, _ terms: SharingTerms) throws -> SharingParticipant {
        try SharingParticipant(index: index, terms: terms, bringing: .nothing, random: SystemRandom())
    }

    func run() async throws(CeremonyError) { try await run(with: participants) }

    func run(with others: [any Participant]) async throws(CeremonyError) {
        try await SharingCeremony(terms: terms).run(with: others, random: SystemRandom())
    }

    /// The public keys of each participant that has shares.
    func shares() async -> [OneShot<KeyShares>] {
        var shares: [OneShot<KeyShares>] = []
        for participant in participants {
            if let own = try? await participant.takeShares() { shares.append(OneShot(own)) }
        }
        return shares
    }
}

/// The mnemonic of zeros, `abandon … about`, whose accounts every wallet's tests contain.
enum ZeroMnemonic {
    static func seed() throws -> SecretBytes {
        try Mnemonic(entropy: secret([UInt8](repeating: 0, count: 16))).seed(passphrase: secret(""))
    }

    static func keys(
        for chain: ImportedPrivateKeys.Chain, account: UInt32 = 0, on network: Network = .regtest
    ) throws -> ImportedPrivateKeys {
        try ImportedPrivateKeys(seed: try seed(), for: chain, account: account, on: network)
    }

    /// The first account on Bitcoin whose taproot key has a y of this parity.
    static func account(isEven: Bool) throws -> UInt32 {
        for account in UInt32(0)... {
            let keys = try keys(for: .bitcoin, account: account)
            if case .bitcoin(let taproot, _) = keys.imported.account, taproot.point.hasEvenY == isEven {
                return account
            }
        }
        throw CeremonyError.malformedMessage
    }
}

extension MadeWallet {
    /// 2 of 3 shares of imported keys.
    convenience init(importing keys: consuming ImportedPrivateKeys, on network: Network = .regtest) async throws {
        let imported = keys.imported
        let importers = try Importers(keys)
        try await importers.run()
        try self.init(await importers.shares(), network: network, imported: imported)
    }

    /// The wallet with new shares of its keys.
    func renewed() async throws -> MadeWallet {
        let terms = SharingTerms(
            renewing: keys.groups, epoch: epoch, dealers: [1, 2, 3], parameters: keys.parameters)
        let participants = try (1...3).map {
            try SharingParticipant(
                index: $0, terms: terms, bringing: .shares(try self.shares($0)), random: SystemRandom())
        }
        try await SharingCeremony(terms: terms).run(with: participants, random: SystemRandom())
        var shares: [OneShot<KeyShares>] = []
        for participant in participants { shares.append(OneShot(try await participant.takeShares())) }
        return try MadeWallet(
            shares, network: keys.network, epoch: epoch + 1, imported: keys.imported)
    }
}
