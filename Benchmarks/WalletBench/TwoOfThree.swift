internal import Curves
internal import Secrets
internal import Threshold

/// A 2-of-3 key whose three parties run in this process. Every message is encoded and decoded.
final class TwoOfThree<Suite: BenchSuite>: Sendable {
    private let first: KeyShare<Suite.Group>
    private let second: KeyShare<Suite.Group>
    private let third: KeyShare<Suite.Group>

    /// Runs the distributed key generation with all three parties and their coordinator.
    init() throws {
        let random = SystemRandom()
        let key1 = DKG.HostKey<Suite>(from: random)
        let key2 = DKG.HostKey<Suite>(from: random)
        let key3 = DKG.HostKey<Suite>(from: random)
        let session = try DKG.Session<Suite>(
            threshold: 2, hostKeys: [key1.publicKey.encoded, key2.publicKey.encoded, key3.publicKey.encoded])
        let indices = session.parameters.indices

        let contribution1 = try DKG.Contribution(hostKey: key1, session: session, random: random)
        let contribution2 = try DKG.Contribution(hostKey: key2, session: session, random: random)
        let contribution3 = try DKG.Contribution(hostKey: key3, session: session, random: random)
        let coordinator = try DKG.Coordinator(
            session: session,
            messages: [
                indices[0]: contribution1.message, indices[1]: contribution2.message, indices[2]: contribution3.message,
            ])
        let combined = coordinator.message
        let pending1 = try contribution1.receive(combined, hostKey: key1, random: random).share()
        let pending2 = try contribution2.receive(combined, hostKey: key2, random: random).share()
        let pending3 = try contribution3.receive(combined, hostKey: key3, random: random).share()
        let certificate = try coordinator.certify([
            indices[0]: pending1.message, indices[1]: pending2.message, indices[2]: pending3.message,
        ]).message
        first = try pending1.activate(certificate).takeShare()
        second = try pending2.activate(certificate).takeShare()
        third = try pending3.activate(certificate).takeShare()
    }

    /// Signs once with two of the shares: both rounds, the coordinator, and the verification. The pair changes with
    /// each round of the benchmark.
    func sign(round: Int) throws {
        let message = SystemRandom().publicBytes(count: 32)
        switch round % 3 {
        case 0: try Suite.sign(message, first, second)
        case 1: try Suite.sign(message, first, third)
        default: try Suite.sign(message, second, third)
        }
    }
}

/// A measured ciphersuite, with its signing by two shareholders.
protocol BenchSuite: DKG.SchnorrCiphersuite {
    static func sign(_ message: [UInt8], _ left: borrowing KeyShare<Group>, _ right: borrowing KeyShare<Group>) throws
}

extension DKG.BIP340: BenchSuite {
    static func sign(
        _ message: [UInt8], _ left: borrowing KeyShare<Secp256k1>, _ right: borrowing KeyShare<Secp256k1>
    ) throws {
        typealias Protocol = FROST.BIP340
        let group = left.group
        let leftNonces = Protocol.Round1.commit(left, random: SystemRandom())
        let rightNonces = Protocol.Round1.commit(right, random: SystemRandom())
        let commitments = try [leftNonces.commitment.encoded, rightNonces.commitment.encoded].map {
            try Protocol.Commitment(decoding: $0)
        }
        let package = try Protocol.SigningPackage(group: group, commitments: commitments, tweaks: [], message: message)
        let sent = package.encoded
        let shares = try [
            Protocol.Round2.sign(
                Protocol.SigningPackage(decoding: sent, own: leftNonces.commitment), with: left, nonces: leftNonces
            ).encoded,
            Protocol.Round2.sign(
                Protocol.SigningPackage(decoding: sent, own: rightNonces.commitment), with: right, nonces: rightNonces
            ).encoded,
        ].map { try Protocol.SignatureShare(decoding: $0) }
        _ = try Protocol.aggregate(shares, of: package, in: group)
    }
}

extension DKG.Ed25519: BenchSuite {
    static func sign(
        _ message: [UInt8], _ left: borrowing KeyShare<Curves.Ed25519>, _ right: borrowing KeyShare<Curves.Ed25519>
    ) throws {
        typealias Protocol = FROST.Ed25519
        let group = left.group
        let leftNonces = Protocol.Round1.commit(left, random: SystemRandom())
        let rightNonces = Protocol.Round1.commit(right, random: SystemRandom())
        let commitments = try [leftNonces.commitment.encoded, rightNonces.commitment.encoded].map {
            try Protocol.Commitment(decoding: $0)
        }
        let package = try Protocol.SigningPackage(group: group, commitments: commitments, message: message)
        let sent = package.encoded
        let shares = try [
            Protocol.Round2.sign(
                Protocol.SigningPackage(decoding: sent, own: leftNonces.commitment), with: left, nonces: leftNonces
            ).encoded,
            Protocol.Round2.sign(
                Protocol.SigningPackage(decoding: sent, own: rightNonces.commitment), with: right, nonces: rightNonces
            ).encoded,
        ].map { try Protocol.SignatureShare(decoding: $0) }
        _ = try Protocol.aggregate(shares, of: package, in: group)
    }
}
