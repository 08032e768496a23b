import Curves
import Secrets
import Testing
import Threshold

@Suite("Documentation: threshold signatures")
struct DocumentedThresholdTests {
    @Test("three participants make a key, and two of them sign")
    func sign() throws {
        let random = SystemRandom()
        let message = SHA256.hash(Array("a transaction".utf8))
        // snippet
        let alice = DKG.HostKey<DKG.BIP340>(from: random)
        let bob = DKG.HostKey<DKG.BIP340>(from: random)
        let carol = DKG.HostKey<DKG.BIP340>(from: random)
        let session = try DKG.Session<DKG.BIP340>(
            threshold: 2, hostKeys: [alice.publicKey.encoded, bob.publicKey.encoded, carol.publicKey.encoded])
        // end
        let numbers = session.parameters.indices
        // snippet
        let aliceOffers = try DKG.Contribution(hostKey: alice, session: session, random: random)
        let bobOffers = try DKG.Contribution(hostKey: bob, session: session, random: random)
        let carolOffers = try DKG.Contribution(hostKey: carol, session: session, random: random)
        let coordinator = try DKG.Coordinator(
            session: session,
            messages: [
                numbers[0]: aliceOffers.message, numbers[1]: bobOffers.message, numbers[2]: carolOffers.message,
            ])
        let offers = coordinator.message
        // end
        // snippet
        let aliceHolds = try aliceOffers.receive(offers, hostKey: alice, random: random).share()
        let bobHolds = try bobOffers.receive(offers, hostKey: bob, random: random).share()
        let carolHolds = try carolOffers.receive(offers, hostKey: carol, random: random).share()
        let certificate = try coordinator.certify([
            numbers[0]: aliceHolds.message, numbers[1]: bobHolds.message, numbers[2]: carolHolds.message,
        ])
        let aliceShare = try aliceHolds.activate(certificate.message).takeShare()
        let carolShare = try carolHolds.activate(certificate.message).takeShare()
        // end
        _ = try bobHolds.activate(certificate.message)
        // snippet
        let aliceNonces = FROST.BIP340.Round1.commit(aliceShare, random: random)
        let carolNonces = FROST.BIP340.Round1.commit(carolShare, random: random)
        let package = try FROST.BIP340.SigningPackage(
            group: aliceShare.group, commitments: [aliceNonces.commitment, carolNonces.commitment], tweaks: [],
            message: message)
        // end
        let group = aliceShare.group
        // snippet
        let aliceSigns = try FROST.BIP340.Round2.sign(package, with: aliceShare, nonces: aliceNonces)
        let carolSigns = try FROST.BIP340.Round2.sign(package, with: carolShare, nonces: carolNonces)
        let signature = try FROST.BIP340.aggregate([aliceSigns, carolSigns], of: package, in: group)
        // end
        #expect(BIP340.isValid(signature: signature, message: message, publicKey: group.publicKey.xOnly))
    }
}
