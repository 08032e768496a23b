import Curves
import Secrets
import Testing
import Threshold

@testable import Custody

@Suite("Key generation: exchanged host keys")
struct ExchangedHostKeysTests {
    /// Why the threat model excepts it, and why ``WalletCreation`` compares what all holders got.
    @Test("one holder alone does not notice that the coordinator sits in all the other places")
    func alone() async throws {
        let random = SystemRandom()
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        let holder = KeyGenerationHolder(index: try ParticipantIndex(2), parameters: parameters, random: random)
        let id = SessionID(from: random)
        func ask(_ kind: CeremonyMessage.Kind, _ payload: [UInt8]) async throws -> [UInt8] {
            let message = CeremonyMessage(
                kind: kind, sender: CeremonyMessage.coordinator, session: id, payload: payload)
            return try CeremonyMessage(decoding: try await holder.answer(message.encoded)).payload
        }

        let one = DKG.HostKey<DKG.BIP340>(from: random)
        let three = DKG.HostKey<DKG.BIP340>(from: random)
        let hostKeys = [one.publicKey.encoded, try await ask(.hostKeyRequest, []), three.publicKey.encoded]
        let session = try DKG.Session<DKG.BIP340>(threshold: 2, hostKeys: hostKeys)
        let first = try DKG.Contribution(hostKey: one, session: session, random: random)
        let third = try DKG.Contribution(hostKey: three, session: session, random: random)
        let indices = session.parameters.indices
        let second = try await ask(.keyGenerationSession, MessageList.encode(hostKeys))
        let coordinator = try DKG.Coordinator(
            session: session, messages: [indices[0]: first.message, indices[1]: second, indices[2]: third.message])
        let combined = coordinator.message
        let signature = try await ask(.combinedContributions, combined)
        let pending1 = try first.receive(combined, hostKey: one, random: random).share()
        let pending3 = try third.receive(combined, hostKey: three, random: random).share()
        let certificate = try coordinator.certify([
            indices[0]: pending1.message, indices[1]: signature, indices[2]: pending3.message,
        ])
        _ = try await ask(.certificate, certificate.message)

        // Two shares of three: the whole key is the coordinator's.
        let share = try await holder.takeShare()
        let mine = try pending1.activate(certificate.message).takeShare()
        let mineToo = try pending3.activate(certificate.message).takeShare()
        #expect(share.group == mine.group && mineToo.group == mine.group)
    }
}
