import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Sessions of two participants of which everything is known: host keys, random bytes, and so each message.
struct KnownSharing<Suite: Sharing.Ciphersuite> {
    /// Each message in the order of the protocol, by its name.
    private(set) var messages: [(name: String, bytes: [UInt8])] = []
    private(set) var session: Sharing.Session<Suite>

    /// A new 2-of-2 key; or another one, shared by the first participant; or new shares of the first, by both.
    enum Kind: CaseIterable, Sendable { case fresh, imported, refresh }

    /// The imported secret.
    static var secret: Scalar<Suite.Group> { Scalar(0x1234_5678_9abc_def0) }

    /// The host keys: bytes 11 and 22, except for the last byte, which has to be small in little-endian order.
    static func hostKey(_ number: UInt8) throws -> Sharing.HostKey<Suite> {
        let isLittleEndian = Scalar<Suite.Group>(1).encoded[0] == 1
        return try Sharing.HostKey(
            decoding: ThresholdTestSupport.secret(
                [UInt8](repeating: 0x11 * number, count: 31) + [isLittleEndian ? number : 0x11 * number]))
    }

    init(_ kind: Kind) throws { try self.init(kind, Self.hostKey(1), Self.hostKey(2)) }

    private init(_ kind: Kind, _ one: borrowing Sharing.HostKey<Suite>, _ two: borrowing Sharing.HostKey<Suite>) throws
    {
        let start: UInt8 = kind == .refresh ? 0x55 : 0x33
        let randomOne = PrescribedRandom(bytes: [UInt8](repeating: start, count: 32))
        let randomTwo = PrescribedRandom(bytes: [UInt8](repeating: start + 0x11, count: 32))
        let first = Sharing.Introduction(hostKey: one, random: randomOne)
        let second = Sharing.Introduction(hostKey: two, random: randomTwo)
        let hellos = [first.message, second.message]
        let begunOne: Sharing.Committed<Suite>
        let begunTwo: Sharing.Committed<Suite>
        switch kind {
        case .fresh:
            session = try Sharing.Session(fresh: 2, participants: hellos)
            begunOne = try first.begin(session, hostKey: one, random: randomOne)
            begunTwo = try second.begin(session, hostKey: two, random: randomTwo)
        case .imported:
            session = try Sharing.Session(
                importing: SharingTests.publicKey(of: Self.secret), dealer: hellos[0], threshold: 2, receivers: hellos)
            begunOne = try first.begin(session, hostKey: one, whole: SecretScalar(Self.secret), random: randomOne)
            begunTwo = try second.begin(session, hostKey: two, random: randomTwo)
        case .refresh:
            let before = try KnownSharing(.fresh, one, two).recoveryData()
            let indices = before.session.parameters.indices
            session = try Sharing.Session(
                resharing: before.group, epoch: 0, dealers: [indices[0]: hellos[0], indices[1]: hellos[1]],
                threshold: 2, receivers: hellos)
            let shareOne = try before.keyShare(hostKey: one)
            let shareTwo = try before.keyShare(hostKey: two)
            begunOne = try first.begin(session, hostKey: one, share: shareOne, epoch: 0, random: randomOne)
            begunTwo = try second.begin(session, hostKey: two, share: shareTwo, epoch: 0, random: randomTwo)
        }
        messages = [("introduction of 1", hellos[0]), ("introduction of 2", hellos[1]), ("session", session.encoded)]
        let parties = session.parties

        var received: [Sharing.Party: [UInt8]] = [:]
        received[parties[0]] = begunOne.message
        received[parties[1]] = begunTwo.message
        append("commitment", received)
        let coordinator = try Sharing.Coordinator(session: session, commitments: received)
        messages.append(("commitments", coordinator.message))
        let openedOne = try begunOne.open(coordinator.message)
        let openedTwo = try begunTwo.open(coordinator.message)
        received[parties[0]] = openedOne.message
        received[parties[1]] = openedTwo.message
        append("opening", received)
        let dealings = try coordinator.collect(openings: received)
        messages.append(("openings", dealings.message))
        let pendingOne = try openedOne.receive(dealings.message, hostKey: one, random: randomOne)
        let pendingTwo = try openedTwo.receive(dealings.message, hostKey: two, random: randomTwo)
        received[parties[0]] = pendingOne.message
        received[parties[1]] = pendingTwo.message
        append("confirmation", received)
        let certificate = try dealings.certify(received)
        messages.append(("certificate", certificate.message))
        let output = try pendingOne.activate(certificate.message)
        messages.append(("recovery data", output.recoveryData.encoded))
        messages.append(
            ("acknowledgement of 1", try output.recoveryData.acknowledgement(hostKey: one, random: randomOne)))
        messages.append(("share of 1", try reveal(output.recoveryData.keyShare(hostKey: one).encoded())))
    }

    private mutating func append(_ name: String, _ received: [Sharing.Party: [UInt8]]) {
        for party in session.parties {
            if let message = received[party] { messages.append(("\(name) of \(party.number)", message)) }
        }
    }

    func recoveryData() throws -> Sharing.RecoveryData<Suite> {
        try Sharing.RecoveryData(decoding: bytes("recovery data")[0])
    }

    /// Returns the messages whose names begin with this text.
    func bytes(_ name: String) -> [[UInt8]] { messages.filter { $0.name.hasPrefix(name) }.map(\.bytes) }
}
