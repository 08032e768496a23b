import Ceremonies
import Custody
import Secrets
import SigningSession
import TestSupport
import Wallet

@testable import CeremoniesTestSupport
@testable import SigningSessionTestSupport

/// A share whose holder is not the wallet's machine: it has its own authorizer and a ledger in memory.
final class HeldShare: ParticipantSource {
    let location: ShareLocation
    let ledger = MemoryLedger()
    private let authorizer: NotingAuthorizer
    private let home: TestHome
    private let answered: ShareLocation

    /// - Parameters:
    ///   - refuses: whether its holder's policy refuses every payload.
    ///   - answered: the share of its participants, if it is not this one.
    init(
        _ location: ShareLocation, of home: TestHome, refuses: Bool = false, answersFor answered: ShareLocation? = nil
    ) {
        authorizer = NotingAuthorizer(refusing: refuses ? .forbidden(Decision(findings: [])) : nil)
        (self.location, self.home, self.answered) = (location, home, answered ?? location)
    }

    /// The digests that its holder was asked about.
    var admitted: [[UInt8]] { authorizer.asked.map(\.intent.digest) }
    /// The digests for which a part of a signature left it.
    var sent: [[UInt8]] { authorizer.released }

    func participant(for payload: ConfirmedPayload) -> any Participant {
        Remote(index: answered.index, payload, location: answered, home: home, authorizer, ledger)
    }

    /// Opens its share when the first message comes, as another machine does.
    private actor Remote: Participant {
        nonisolated let index: Int
        private let payload: ConfirmedPayload
        private let location: ShareLocation
        private let home: TestHome
        private let authorizer: NotingAuthorizer
        private let ledger: MemoryLedger
        private var opened: SigningParticipant?

        init(
            index: Int, _ payload: ConfirmedPayload, location: ShareLocation, home: TestHome,
            _ authorizer: NotingAuthorizer, _ ledger: MemoryLedger
        ) {
            (self.index, self.payload, self.location, self.home) = (index, payload, location, home)
            (self.authorizer, self.ledger) = (authorizer, ledger)
        }

        func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
            if let opened { return try await opened.answer(message) }
            let participant: SigningParticipant
            do throws(CustodyError) {
                participant = try await home.home.open(
                    location, of: home.wallet, passphrase: guarded(TestHome.passphrase)
                ).participant(
                    confirmed: payload.digest, authorizer: authorizer, ledger: payload.needsLedgers ? ledger : nil,
                    random: SystemRandom())
            } catch { throw .port(PortError(error)) }
            opened = participant
            return try await participant.answer(message)
        }
    }
}
