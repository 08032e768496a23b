import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// A 2-of-2 session of which everything is known: host keys, random bytes, and so each message.
struct KnownKeyGeneration<Suite: DKG.Ciphersuite> {
    /// Each message in the order of the protocol, by its name.
    let messages: [(name: String, bytes: [UInt8])]
    let session: DKG.Session<Suite>

    /// The host keys: bytes 11 and 22, except for the last byte, which has to be small in little-endian order.
    static func hostKey(_ number: UInt8) throws -> DKG.HostKey<Suite> {
        let isLittleEndian = Scalar<Suite.Group>(1).encoded[0] == 1
        return try DKG.HostKey(
            decoding: secret([UInt8](repeating: 0x11 * number, count: 31) + [isLittleEndian ? number : 0x11 * number]))
    }

    init() throws {
        let one = try Self.hostKey(1)
        let two = try Self.hostKey(2)
        let randomOne = PrescribedRandom(bytes: [UInt8](repeating: 0x33, count: 32))
        let randomTwo = PrescribedRandom(bytes: [UInt8](repeating: 0x44, count: 32))
        session = try DKG.Session(threshold: 2, hostKeys: [one.publicKey.encoded, two.publicKey.encoded])
        let indices = session.parameters.indices

        let contributionOne = try DKG.Contribution(hostKey: one, session: session, random: randomOne)
        let contributionTwo = try DKG.Contribution(hostKey: two, session: session, random: randomTwo)
        var messages = [
            ("participant message 1 of 1", contributionOne.message),
            ("participant message 1 of 2", contributionTwo.message),
        ]
        let coordinator = try DKG.Coordinator(
            session: session, messages: [indices[0]: contributionOne.message, indices[1]: contributionTwo.message])
        messages.append(("coordinator message 1", coordinator.message))
        messages.append(("investigation message for 1", try coordinator.investigation(for: indices[0])))
        let pendingOne = try contributionOne.receive(coordinator.message, hostKey: one, random: randomOne).share()
        let pendingTwo = try contributionTwo.receive(coordinator.message, hostKey: two, random: randomTwo).share()
        messages.append(("participant message 2 of 1", pendingOne.message))
        messages.append(("participant message 2 of 2", pendingTwo.message))
        let certificate = try coordinator.certify([indices[0]: pendingOne.message, indices[1]: pendingTwo.message])
        messages.append(("coordinator message 2", certificate.message))
        let output = try pendingOne.activate(certificate.message)
        messages.append(("recovery data", output.recoveryData.encoded))
        messages.append(
            ("acknowledgement of 1", try output.recoveryData.acknowledgement(hostKey: one, random: randomOne)))
        messages.append(("share of 1", reveal(output.keyShare.encoded())))
        self.messages = messages
    }
}
