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
        let key1 = Sharing.HostKey<Suite>(from: random)
        let key2 = Sharing.HostKey<Suite>(from: random)
        let key3 = Sharing.HostKey<Suite>(from: random)
        let introduction1 = Sharing.Introduction<Suite>(hostKey: key1, random: random)
        let introduction2 = Sharing.Introduction<Suite>(hostKey: key2, random: random)
        let introduction3 = Sharing.Introduction<Suite>(hostKey: key3, random: random)
        let session = try Sharing.Session<Suite>(
            fresh: 2, participants: [introduction1.message, introduction2.message, introduction3.message])
        func byParty(_ first: [UInt8]?, _ second: [UInt8]?, _ third: [UInt8]?) -> [Sharing.Party: [UInt8]] {
            Dictionary(uniqueKeysWithValues: zip(session.parties, [first ?? [], second ?? [], third ?? []]))
        }

        let committed1 = try introduction1.begin(session, hostKey: key1, random: random)
        let committed2 = try introduction2.begin(session, hostKey: key2, random: random)
        let committed3 = try introduction3.begin(session, hostKey: key3, random: random)
        let coordinator = try Sharing.Coordinator(
            session: session, commitments: byParty(committed1.message, committed2.message, committed3.message))
        let opened1 = try committed1.open(coordinator.message)
        let opened2 = try committed2.open(coordinator.message)
        let opened3 = try committed3.open(coordinator.message)
        let dealings = try coordinator.collect(openings: byParty(opened1.message, opened2.message, opened3.message))
        let pending1 = try opened1.receive(dealings.message, hostKey: key1, random: random)
        let pending2 = try opened2.receive(dealings.message, hostKey: key2, random: random)
        let pending3 = try opened3.receive(dealings.message, hostKey: key3, random: random)
        let certificate = try dealings.certify(byParty(pending1.message, pending2.message, pending3.message)).message
        guard let share1 = try pending1.activate(certificate).takeShare(),
            let share2 = try pending2.activate(certificate).takeShare(),
            let share3 = try pending3.activate(certificate).takeShare()
        else { throw ThresholdError.inconsistentKey }
        first = share1
        second = share2
        third = share3
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
protocol BenchSuite: Sharing.SchnorrCiphersuite {
    static func sign(_ message: [UInt8], _ left: borrowing KeyShare<Group>, _ right: borrowing KeyShare<Group>) throws
}

extension Sharing.BIP340: BenchSuite {
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

extension Sharing.Ed25519: BenchSuite {
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
