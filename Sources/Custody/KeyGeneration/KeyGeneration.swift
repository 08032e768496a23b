internal import Curves
public import Secrets
public import Threshold

/// A distributed key generation, as its coordinator sees it. The coordinator learns nothing secret, and cannot make the
/// holders believe in different keys.
public struct KeyGeneration {
    private let parameters: ThresholdParameters

    public init(_ parameters: ThresholdParameters) {
        self.parameters = parameters
    }

    /// Runs it. Afterwards each holder has its share.
    ///
    /// - Parameters:
    ///   - holders: one for each share, in the order of their indices.
    ///   - random: for the session's identity.
    /// - Throws: ``CustodyError/ceremony(_:)`` with the culprits where they are known, and what a holder throws.
    public func run(with holders: [any Holder], random: some RandomSource) async throws(CustodyError) {
        guard holders.map(\.index) == parameters.indices.map(\.value) else {
            throw .wrongNumberOfShares(needed: parameters.total, given: holders.count)
        }
        let ceremony = Ceremony(holders: holders, session: SessionID(from: random))

        let hostKeys = try await ceremony.ask(.hostKeyRequest, [], expecting: .hostKey)
        let session: DKG.Session<DKG.BIP340>
        do {
            session = try DKG.Session(threshold: parameters.threshold, hostKeys: hostKeys)
        } catch {
            throw .ceremony(error)
        }

        let contributions = try await ceremony.ask(
            .keyGenerationSession, MessageList.encode(hostKeys), expecting: .contribution)
        let coordinator: DKG.Coordinator<DKG.BIP340>
        do {
            coordinator = try DKG.Coordinator(session: session, messages: byIndex(contributions))
        } catch {
            throw .ceremony(error)
        }

        // Each holder checks its share, and signs the whole transcript as it saw it.
        let signatures = try await ceremony.ask(
            .combinedContributions, coordinator.message, expecting: .transcriptSignature)
        let certificate: DKG.Certificate<DKG.BIP340>
        do {
            certificate = try coordinator.certify(byIndex(signatures))
        } catch {
            throw .ceremony(error)
        }

        // Only a certificate of all signatures turns what a holder has into a share.
        let activated = try await ceremony.ask(.certificate, certificate.message, expecting: .activated)
        guard activated.allSatisfy(\.isEmpty) else { throw .malformedMessage }
    }

    private func byIndex(_ messages: [[UInt8]]) -> [ParticipantIndex: [UInt8]] {
        Dictionary(uniqueKeysWithValues: zip(parameters.indices, messages))
    }
}
