internal import Threshold

/// The coordinator's side of one session of `Sharing`, for one purpose. It knows nothing secret.
struct SharingCoordinator<Suite: DKG.Ciphersuite> {
    let session: Sharing.Session<Suite>
    /// Who each of the participants is in the session, in the order in which their messages come.
    private let parties: [Sharing.Party]
    private var coordinator: Sharing.Coordinator<Suite>?
    private var dealings: Sharing.Dealings<Suite>?

    /// A new key: each participant deals and receives.
    init(fresh threshold: Int, introductions: [[UInt8]]) throws(CeremonyError) {
        do { session = try Sharing.Session(fresh: threshold, participants: introductions) } catch {
            throw .threshold(error)
        }
        parties = session.parties
    }

    /// - Parameter seats: by participant, the number of its old share if it deals, and that of its new one if it receives.
    init(
        _ session: Sharing.Session<Suite>, seats: [(dealer: ParticipantIndex?, receiver: ParticipantIndex?)]
    ) throws(CeremonyError) {
        self.session = session
        parties = seats.compactMap { seat in
            session.parties.first { $0.dealer == seat.dealer && $0.receiver == seat.receiver }
        }
        guard parties.count == seats.count else { throw .staleMessage }
    }

    /// Takes each participant's commitment, and gives what all are to be sent.
    mutating func collect(commitments messages: [[UInt8]]) throws(CeremonyError) -> [UInt8] {
        do {
            let coordinator = try Sharing.Coordinator(session: session, commitments: byParty(messages))
            self.coordinator = coordinator
            return coordinator.message
        } catch { throw .threshold(error) }
    }

    /// Takes what each participant deals, and gives what all are to be sent.
    mutating func collect(openings messages: [[UInt8]]) throws(CeremonyError) -> [UInt8] {
        guard let coordinator else { throw .staleMessage }
        do {
            let dealings = try coordinator.collect(openings: byParty(messages))
            self.dealings = dealings
            return dealings.message
        } catch { throw .threshold(error) }
    }

    /// Takes each participant's confirmation, and gives the certificate that activates the shares.
    func certificate(of messages: [[UInt8]]) throws(CeremonyError) -> Sharing.Certificate<Suite> {
        guard let dealings else { throw .staleMessage }
        do { return try dealings.certify(byParty(messages)) } catch { throw .threshold(error) }
    }

    /// A participant that has nothing to say in a step sends an empty message.
    private func byParty(_ messages: [[UInt8]]) -> [Sharing.Party: [UInt8]] {
        Dictionary(zip(parties, messages).filter { !$0.1.isEmpty }) { first, _ in first }
    }
}
