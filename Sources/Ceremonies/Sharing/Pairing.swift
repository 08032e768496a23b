internal import Curves
internal import Threshold

/// The coordinator's side of the set-up of pairs: passes what each two participants say to each other, which it cannot read, and
/// collects the signatures.
struct Pairing {
    let session: ECDSA.PairSetup.Session

    /// - Parameter outcome: what the session of `Sharing` ended with in which the shares were made.
    init(after outcome: Sharing.RecoveryData<DKG.ECDSA>) throws(CeremonyError) {
        session = try Self.session(after: outcome)
    }

    /// The set-up that belongs to a session of `Sharing`, as everybody makes it who knows how that ended.
    static func session(
        after outcome: Sharing.RecoveryData<DKG.ECDSA>
    ) throws(CeremonyError) -> ECDSA.PairSetup.Session {
        try inProtocol { () throws(ThresholdError) in
            try ECDSA.PairSetup.Session(
                group: outcome.group, epoch: outcome.epoch, identifier: outcome.identifier,
                hostKeys: outcome.session.receiverHostKeys.map(\.encoded))
        }
    }

    /// Runs it, with the holders of all shares in the order of their indices.
    func run(in ceremony: Ceremony) async throws(CeremonyError) {
        var answers = try await ceremony.ask(.pairingRequest, [], expecting: .firstPairing)
        answers = try await ceremony.ask(.firstPairings, payloads: transposed(answers), expecting: .secondPairing)
        answers = try await ceremony.ask(.secondPairings, payloads: transposed(answers), expecting: .thirdPairing)
        answers = try await ceremony.ask(.thirdPairings, payloads: transposed(answers), expecting: .fourthPairing)
        answers = try await ceremony.ask(
            .fourthPairings, payloads: transposed(answers), expecting: .pairingConfirmation)
        let certificate: [UInt8]
        do throws(ThresholdError) {
            certificate = try session.certify(
                Dictionary(zip(session.group.parameters.indices, answers)) { first, _ in first })
        } catch { throw .threshold(error) }
        let paired = try await ceremony.ask(.pairingCertificate, certificate, expecting: .paired)
        guard paired.allSatisfy(\.isEmpty) else { throw .malformedMessage }
    }

    /// From what each sends to all to what each gets from all.
    private func transposed(_ lists: [[UInt8]]) throws(CeremonyError) -> [[UInt8]] {
        let count = session.group.parameters.total
        var sent: [[[UInt8]]] = []
        for list in lists { sent.append(try MessageList.decode(list, count: count)) }
        return (0..<count).map { recipient in MessageList.encode(sent.map { $0[recipient] }) }
    }
}
