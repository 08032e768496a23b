internal import Encoding

/// A security event of a server.
public struct ServerEvent: Hashable, Sendable {
    /// The kind of the event.
    public enum Kind: UInt8, CaseIterable, Sendable {
        case accountCreated = 1
        case accountErased = 2
        case accountExported = 3
        case accountLocked = 4
        case accountUnlocked = 5
        case accountRecovered = 6
        case passkeyAdded = 16
        case passkeyRemoved = 17
        case passkeyTrustLost = 18
        case signCountFell = 19
        case backupEligibilityRaised = 20
        case signedIn = 32
        case signInRefused = 33
        case steppedUp = 34
        case sessionEnded = 35
        case refreshTokenReused = 36
        case deviceAdded = 48
        case deviceRevoked = 49
        case deviceAttested = 50
        case deviceTrustLost = 51
        case recoveryCodesMade = 64
        case recoveryRefused = 65
        case invitationsMade = 66
        /// A participant on the server signed, or refused to.
        case coSigned = 80
        case coSigningRefused = 81
        case policyChanged = 82
        /// The server started, or read its configuration again.
        case configured = 96
        case keyRotated = 97
        /// An operator used a command of the server.
        case operatorActed = 98
    }

    /// The kind.
    public let kind: Kind
    /// The account; nil for an event of the whole server.
    public let account: AuditIdentifier?
    /// The device.
    public let device: AuditIdentifier?
    /// The passkey, session, key or proposal.
    public let subject: AuditIdentifier?
    /// A code for the reason, 0 without one. Codes belong to the kind.
    public let reason: UInt16

    /// Creates an event.
    public init(
        _ kind: Kind, account: AuditIdentifier?, device: AuditIdentifier? = nil, subject: AuditIdentifier? = nil,
        reason: UInt16 = 0
    ) {
        (self.kind, self.account, self.device, self.subject, self.reason) = (kind, account, device, subject, reason)
    }

    static let code: UInt16 = 0x0200

    func append(to writer: inout ByteWriter) {
        writer.append(kind.rawValue)
        for identifier in [account, device, subject] { AuditIdentifier.append(identifier, to: &writer) }
        writer.bigEndian(reason)
    }

    init(from reader: inout ByteReader) throws(EncodingError) {
        guard let kind = Kind(rawValue: try reader.uint8()) else { throw .unsupported }
        let account = try AuditIdentifier.read(from: &reader)
        let device = try AuditIdentifier.read(from: &reader)
        let subject = try AuditIdentifier.read(from: &reader)
        self.init(
            kind, account: account, device: device, subject: subject, reason: try reader.bigEndian(UInt16.self))
    }
}
