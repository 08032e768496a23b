internal import Threshold

/// The coordinator's side of one distributed key generation by ChillDKG, for one purpose. It knows nothing secret.
struct KeyGenerationCoordinator<Suite: DKG.Ciphersuite> {
    private let coordinator: DKG.Coordinator<Suite>

    /// - Parameters:
    ///   - hostKeys: of the participants, in the order of their indices.
    ///   - contributions: of the same.
    /// - Throws: ``CeremonyError/threshold(_:)``.
    init(threshold: Int, hostKeys: [[UInt8]], contributions: [[UInt8]]) throws(CeremonyError) {
        do throws(ThresholdError) {
            let session = try DKG.Session<Suite>(threshold: threshold, hostKeys: hostKeys)
            coordinator = try DKG.Coordinator(session: session, messages: Self.byIndex(contributions, session))
        } catch { throw .threshold(error) }
    }

    /// For all participants: what they contributed, added up.
    var sum: [UInt8] { coordinator.message }

    /// For all participants: the signatures of all, which activate the shares.
    func certificate(of signatures: [[UInt8]]) throws(CeremonyError) -> [UInt8] {
        do { return try coordinator.certify(Self.byIndex(signatures, coordinator.session)).message } catch {
            throw .threshold(error)
        }
    }

    /// For a participant whose share is wrong: what each of the others sent it.
    func investigation(for index: Int) throws(CeremonyError) -> [UInt8] {
        do { return try coordinator.investigation(for: ParticipantIndex(index)) } catch { throw .threshold(error) }
    }

    private static func byIndex(
        _ messages: [[UInt8]], _ session: DKG.Session<Suite>
    ) -> [ParticipantIndex: [UInt8]] {
        Dictionary(zip(session.parameters.indices, messages)) { first, _ in first }
    }
}
