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
        let alice = Sharing.HostKey<Sharing.BIP340>(from: random)
        let bob = Sharing.HostKey<Sharing.BIP340>(from: random)
        let carol = Sharing.HostKey<Sharing.BIP340>(from: random)
        let aliceGreets = Sharing.Introduction<Sharing.BIP340>(hostKey: alice, random: random)
        let bobGreets = Sharing.Introduction<Sharing.BIP340>(hostKey: bob, random: random)
        let carolGreets = Sharing.Introduction<Sharing.BIP340>(hostKey: carol, random: random)
        let session = try Sharing.Session<Sharing.BIP340>(
            fresh: 2, participants: [aliceGreets.message, bobGreets.message, carolGreets.message])
        // end
        let parties = session.parties
        // snippet
        let aliceCommits = try aliceGreets.begin(session, hostKey: alice, random: random)
        let bobCommits = try bobGreets.begin(session, hostKey: bob, random: random)
        let carolCommits = try carolGreets.begin(session, hostKey: carol, random: random)
        let coordinator = try Sharing.Coordinator(
            session: session,
            commitments: [
                parties[0]: aliceCommits.message ?? [], parties[1]: bobCommits.message ?? [],
                parties[2]: carolCommits.message ?? [],
            ])
        let aliceDeals = try aliceCommits.open(coordinator.message)
        let bobDeals = try bobCommits.open(coordinator.message)
        let carolDeals = try carolCommits.open(coordinator.message)
        let dealings = try coordinator.collect(openings: [
            parties[0]: aliceDeals.message ?? [], parties[1]: bobDeals.message ?? [],
            parties[2]: carolDeals.message ?? [],
        ])
        // end
        // snippet
        let aliceHolds = try aliceDeals.receive(dealings.message, hostKey: alice, random: random)
        let bobHolds = try bobDeals.receive(dealings.message, hostKey: bob, random: random)
        let carolHolds = try carolDeals.receive(dealings.message, hostKey: carol, random: random)
        let certificate = try dealings.certify([
            parties[0]: aliceHolds.message, parties[1]: bobHolds.message, parties[2]: carolHolds.message,
        ])
        let aliceOutput = try aliceHolds.activate(certificate.message)
        let carolOutput = try carolHolds.activate(certificate.message)
        // end
        _ = try bobHolds.activate(certificate.message)
        guard let aliceShare = aliceOutput.takeShare(), let carolShare = carolOutput.takeShare() else {
            Issue.record("a receiver without a share")
            return
        }
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
