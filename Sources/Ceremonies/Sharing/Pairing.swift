internal import Curves
internal import Threshold
internal import ThresholdECDSA

/// The coordinator's side of pairing: it passes on the sealed messages of each two participants, and collects the
/// signatures.
struct Pairing {
    let session: ECDSA.PairSetup.Session

    /// - Parameter outcome: the result of the `Sharing` session that made the shares.
    init(after outcome: Sharing.RecoveryData<Sharing.ECDSA>) throws(CeremonyError) {
        session = try Self.session(after: outcome)
    }

    /// Returns the pairing's session. Every participant computes the same from the result of the `Sharing` session.
    static func session(
        after outcome: Sharing.RecoveryData<Sharing.ECDSA>
    ) throws(CeremonyError) -> ECDSA.PairSetup.Session {
        try inProtocol { () throws(ThresholdError) in
            try ECDSA.PairSetup.Session(
                group: outcome.group, epoch: outcome.epoch, identifier: outcome.identifier,
                hostKeys: outcome.session.receiverHostKeys.map(\.encoded))
        }
    }

    /// Runs the pairing, with the participants of all shares in the order of their indices.
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

    /// Converts the lists that each participant sends into those that each one gets.
    private func transposed(_ lists: [[UInt8]]) throws(CeremonyError) -> [[UInt8]] {
        let count = session.group.parameters.total
        let sent = try MessageList.decode(all: lists, count: count)
        return (0..<count).map { recipient in MessageList.encode(sent.map { $0[recipient] }) }
    }
}
