import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdECDSA
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Import: the ceremony")
struct ImportCeremonyTests {
    private func keys() throws -> ImportedPrivateKeys { try ZeroMnemonic.keys(for: .bitcoin) }

    @Test(
        "all end with shares of the keys that were brought; what was not brought is new each time",
        arguments: [(2, 2), (2, 3), (3, 5)], [ImportedPrivateKeys.Chain.bitcoin, .ethereum])
    func honest(_ size: (threshold: Int, total: Int), _ chain: ImportedPrivateKeys.Chain) async throws {
        let imported = try ZeroMnemonic.keys(for: chain).imported
        var made: [GroupKeys] = []
        for _ in 0..<2 {
            let importers = try Importers(ZeroMnemonic.keys(for: chain), size.threshold, of: size.total)
            try await importers.run()
            var groups: [GroupKeys] = []
            for (index, share) in await importers.shares().enumerated() {
                guard let own = share.take() else { throw CeremonyError.staleMessage }
                let (number, epoch) = (own.index.value, own.ecdsa.epoch)
                #expect(number == index + 1 && epoch == 0)
                groups.append(own.groups)
            }
            #expect(groups.count == size.total && groups.allSatisfy { $0 == groups.first })
            made.append(try #require(groups.first))
        }
        for keys in made {
            #expect(imported.fit(schnorr: keys.schnorr.publicKey, ecdsa: keys.ecdsa.publicKey))
            #expect(keys.parameters == (try ThresholdParameters(threshold: size.threshold, total: size.total)))
        }
        #expect(made[0].ed25519.publicKey != made[1].ed25519.publicKey)
        #expect((made[0].schnorr.publicKey == made[1].schnorr.publicKey) == (chain == .bitcoin))
        // Other shares of the same key.
        #expect(made[0].ecdsa != made[1].ecdsa)
    }

    @Test("a share is available only after the last certificate, and only once")
    func once() async throws {
        let early = try Importers(keys())
        #expect(await early.shares().isEmpty)
        let importers = try Importers(keys())
        try await importers.run()
        #expect(await importers.shares().count == 3)
        #expect(await importers.shares().isEmpty)
    }

    @Test("keys that differ from the terms are not dealt, and only participant 1 deals")
    func wrongKeys() throws {
        let terms = try Importers(keys()).terms
        func refused(_ index: Int, _ brought: consuming DealerInput) {
            do {
                _ = try SharingParticipant(index: index, terms: terms, bringing: brought, random: SystemRandom())
                Issue.record("taken")
            } catch { #expect(error == .threshold(.wrongGroup)) }
        }
        refused(1, .nothing)
        refused(2, .whole(try keys()))
        refused(1, .whole(try ZeroMnemonic.keys(for: .bitcoin, account: 1)))
        refused(1, .whole(try ZeroMnemonic.keys(for: .ethereum)))
        refused(1, .shares(try KnownWallet().shares(1)))
    }

    /// Runs it with a dealer whose messages are changed.
    private func run(
        _ direction: MiddleMan.Direction, _ step: Int, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) async throws -> CeremonyError? {
        let importers = try Importers(keys())
        let dealer = MiddleMan(importers.participants[0]) { passage in
            guard passage.direction == direction, passage.step == step else { return passage.bytes }
            let changed = change(passage.bytes)
            #expect(changed != passage.bytes, "the attack changes nothing")
            return changed
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await importers.run(with: [dealer, importers.participants[1], importers.participants[2]])
        }
        #expect(await importers.shares().isEmpty)
        return failure
    }

    @Test(
        "a dealer that deals something else than it committed to is named, for each key",
        arguments: WalletKeyPurpose.allCases
    )
    func faultyDealer(_ purpose: WalletKeyPurpose) async throws {
        let terms = try Importers(keys()).terms
        let hello = (1...3).map { _ in SharingParticipantState<Sharing.ECDSA>(random: SystemRandom()).introduction }
        let dealer = try terms.session(from: terms.origins.ecdsa, introductions: hello, suite: Sharing.ECDSA.self)
            .parties[0]
        func change(_ step: Int, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) async throws -> CeremonyError? {
            try await run(.answer, step) { $0.changingPayload { $0.changing(purpose, change) } }
        }
        #expect(try await change(2) { _ in [] } == .threshold(.sharing(.missing(dealer))))
        #expect(
            try await change(3) { $0.flipping($0.count - 1) } == .threshold(.sharing(.suspect(dealer, .commitment))))
        #expect(try await change(4) { $0.flipping($0.count - 1) } == .threshold(.sharing(.faulty([dealer]))))
    }

    @Test("receivers refuse a dealer of other keys than the user confirmed")
    func otherKeys() async throws {
        let importers = try Importers(keys())
        let other = try Importers(ZeroMnemonic.keys(for: .bitcoin, account: 1))
        let failure = await failure { () async throws(CeremonyError) in
            try await importers.run(with: [other.participants[0], importers.participants[1], importers.participants[2]])
        }
        guard case .threshold(.sharing) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(await importers.shares().isEmpty)
        #expect(await other.shares().isEmpty)
    }

    @Test("swapping two participants' introductions, which changes the dealer, is detected")
    func exchanged() async throws {
        let failure = try await run(.request, 2) {
            $0.changingPayload { list in
                let all = (try? MessageList.decode(list, count: 3)) ?? []
                return all.count == 3 ? MessageList.encode([all[1], all[0], all[2]]) : list
            }
        }
        #expect(failure == .threshold(.wrongGroup))
    }

    @Test("a raised threshold is refused: a participant uses its own terms")
    func otherThreshold() async throws {
        let importers = try Importers(keys())
        let told = try Importers(keys(), 3, of: 3)
        let failure = await failure { () async throws(CeremonyError) in
            try await importers.run(with: [importers.participants[0], importers.participants[1], told.participants[2]])
        }
        guard case .threshold(.sharing) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(await importers.shares().isEmpty)
    }
}
