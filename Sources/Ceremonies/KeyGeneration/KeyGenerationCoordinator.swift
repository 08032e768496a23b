internal import Threshold

/// The coordinator's side of one distributed key generation by ChillDKG, for one purpose. It knows nothing secret.
struct KeyGenerationCoordinator<Suite: DKG.Ciphersuite> {
    private let coordinator: DKG.Coordinator<Suite>

    /// - Parameters:
    ///   - hostKeys: the participants' host keys, in the order of their indices.
    ///   - contributions: their contributions, in the same order.
    /// - Throws: ``CeremonyError/threshold(_:)``.
    init(threshold: Int, hostKeys: [[UInt8]], contributions: [[UInt8]]) throws(CeremonyError) {
        do throws(ThresholdError) {
            let session = try DKG.Session<Suite>(threshold: threshold, hostKeys: hostKeys)
            coordinator = try DKG.Coordinator(session: session, messages: Self.byIndex(contributions, session))
        } catch { throw .threshold(error) }
    }

    /// The message for all participants: the sum of their contributions.
    var sum: [UInt8] { coordinator.message }

    /// Returns the message for all participants: all signatures, which activate the shares.
    func certificate(of signatures: [[UInt8]]) throws(CeremonyError) -> [UInt8] {
        do { return try coordinator.certify(Self.byIndex(signatures, coordinator.session)).message } catch {
            throw .threshold(error)
        }
    }

    /// Returns the message for a participant whose share is wrong: what each of the others sent it.
    func investigation(for index: Int) throws(CeremonyError) -> [UInt8] {
        do { return try coordinator.investigation(for: ParticipantIndex(index)) } catch { throw .threshold(error) }
    }

    private static func byIndex(
        _ messages: [[UInt8]], _ session: DKG.Session<Suite>
    ) -> [ParticipantIndex: [UInt8]] {
        Dictionary(zip(session.parameters.indices, messages)) { first, _ in first }
    }
}
