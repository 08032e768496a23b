/// Each message names its session and, from a party, its sender.
extension MessageKind {
    package static let introduction = MessageKind(code: 0x30)
    package static let sharingSession = MessageKind(code: 0x31)
    package static let dealerCommitment = MessageKind(code: 0x32)
    package static let dealerCommitments = MessageKind(code: 0x33)
    package static let opening = MessageKind(code: 0x34)
    package static let openings = MessageKind(code: 0x35)
    package static let confirmation = MessageKind(code: 0x36)
    package static let sharingCertificate = MessageKind(code: 0x37)
    package static let sharingRecoveryData = MessageKind(code: 0x38)
    package static let sharingAcknowledgement = MessageKind(code: 0x39)
}

extension MessageWriter {
    /// Writes the header, the session's hash, and, in a message of one party, its number.
    init<Suite>(_ kind: MessageKind, in session: Sharing.Session<Suite>, from party: Sharing.Party? = nil)
    where Suite.Group == Group {
        self.init(kind: kind, reserving: 256)
        bytes(session.hash)
        if let party { count(party.number) }
    }

    /// Writes the size of the domain in one byte, and the domain.
    mutating func purpose<Suite: Sharing.Ciphersuite>(of _: Suite.Type) where Suite.Group == Group {
        count(Suite.domain.utf8.count)
        bytes(Suite.domain.utf8)
    }

    mutating func member(_ member: Sharing.Member<Group>) {
        point(member.hostKey)
        bytes(member.nonce)
    }
}

extension MessageReader {
    /// - Throws: ``Sharing/Fault/wrongSession`` or ``Sharing/Fault/wrongSender``.
    init<Suite>(
        _ bytes: [UInt8], _ kind: MessageKind, in session: Sharing.Session<Suite>, from party: Sharing.Party? = nil
    ) throws(ThresholdError) where Suite.Group == Group {
        try self.init(bytes, kind: kind)
        guard try self.bytes(32) == session.hash else { throw .sharing(.wrongSession) }
        guard let party else { return }
        guard Int(try byte()) == party.number else { throw .sharing(.wrongSender) }
    }

    /// Reads the purpose, and checks that it is the suite's.
    ///
    /// - Throws: ``Sharing/Fault/wrongPurpose``.
    mutating func purpose<Suite: Sharing.Ciphersuite>(of _: Suite.Type) throws(ThresholdError)
    where Suite.Group == Group {
        guard try bytes(Int(try byte())).elementsEqual(Suite.domain.utf8) else { throw .sharing(.wrongPurpose) }
    }

    mutating func member() throws(ThresholdError) -> Sharing.Member<Group> {
        Sharing.Member(hostKey: try point(), nonce: try bytes(32))
    }
}

extension Sharing.Ciphersuite {
    /// Returns a party's number as in hashes and signed messages.
    static func encode(_ party: Sharing.Party) -> [UInt8] { encode(party.number) }
}
