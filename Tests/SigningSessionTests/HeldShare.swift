import Ceremonies
import Custody
import Secrets
import SigningSession
import Synchronization
import TestSupport
import Wallet

@testable import CeremoniesTestSupport
@testable import SigningSessionTestSupport

/// A share whose holder is not the wallet's machine: it has its own authorizer and a ledger in memory.
final class HeldShare: ParticipantSource {
    struct Away: Error, Equatable {}

    let location: ShareLocation
    let ledger = MemoryLedger()
    private let authorizer: NotingAuthorizer
    private let home: TestHome
    private let isAway: Bool
    private let answered: ShareLocation

    /// - Parameters:
    ///   - refuses: whether its holder's policy refuses every payload.
    ///   - isAway: whether it cannot sign now.
    ///   - answered: the share of its participants, if it is not this one.
    init(
        _ location: ShareLocation, of home: TestHome, refuses: Bool = false, isAway: Bool = false,
        answersFor answered: ShareLocation? = nil
    ) {
        authorizer = NotingAuthorizer(refusing: refuses ? .forbidden(Decision(findings: [])) : nil)
        (self.location, self.home, self.isAway, self.answered) = (location, home, isAway, answered ?? location)
    }

    /// The digests that its holder was asked about.
    var admitted: [[UInt8]] { authorizer.asked.map(\.intent.digest) }
    /// The digests for which a part of a signature left it.
    var sent: [[UInt8]] { authorizer.released }

    func requireReady() throws(CustodyError) {
        if isAway { throw .ceremony(.port(PortError(Away()))) }
    }

    func participant(for payload: ConfirmedPayload) async throws(CustodyError) -> any Participant {
        try await home.home.open(answered, of: home.wallet, passphrase: guarded(TestHome.passphrase))
            .participant(
                confirmed: payload.digest, authorizer: authorizer, ledger: payload.needsLedgers ? ledger : nil,
                random: SystemRandom())
    }
}
