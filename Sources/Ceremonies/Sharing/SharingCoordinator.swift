internal import Threshold

/// The coordinator's side of one session of `Sharing`, for one purpose. It knows nothing secret.
struct SharingCoordinator<Suite: Sharing.Ciphersuite> {
    let session: Sharing.Session<Suite>
    /// The party in the session for each participant, in the order of their messages.
    private let parties: [Sharing.Party]
    private var coordinator: Sharing.Coordinator<Suite>?
    private var dealings: Sharing.Dealings<Suite>?

    /// - Parameter seats: for each participant, the index of its old share if it deals, and that of its new one if it
    ///   receives.
    init(
        _ session: Sharing.Session<Suite>, seats: [(dealer: ParticipantIndex?, receiver: ParticipantIndex?)]
    ) throws(CeremonyError) {
        self.session = session
        parties = seats.compactMap { seat in
            session.parties.first { $0.dealer == seat.dealer && $0.receiver == seat.receiver }
        }
        guard parties.count == seats.count else { throw .staleMessage }
    }

    /// Takes each participant's commitment, and returns the message for all.
    mutating func collect(commitments messages: [[UInt8]]) throws(CeremonyError) -> [UInt8] {
        do {
            let coordinator = try Sharing.Coordinator(session: session, commitments: byParty(messages))
            self.coordinator = coordinator
            return coordinator.message
        } catch { throw .threshold(error) }
    }

    /// Takes each participant's opening, and returns the message for all.
    mutating func collect(openings messages: [[UInt8]]) throws(CeremonyError) -> [UInt8] {
        guard let coordinator else { throw .staleMessage }
        do {
            let dealings = try coordinator.collect(openings: byParty(messages))
            self.dealings = dealings
            return dealings.message
        } catch { throw .threshold(error) }
    }

    /// Takes each participant's confirmation, and returns the certificate that activates the shares.
    func certificate(of messages: [[UInt8]]) throws(CeremonyError) -> Sharing.Certificate<Suite> {
        guard let dealings else { throw .staleMessage }
        do { return try dealings.certify(byParty(messages)) } catch { throw .threshold(error) }
    }

    /// Returns the messages by party. A participant that has nothing to send in a step sends an empty message.
    private func byParty(_ messages: [[UInt8]]) -> [Sharing.Party: [UInt8]] {
        Dictionary(zip(parties, messages).filter { !$0.1.isEmpty }) { first, _ in first }
    }
}
