public import Encoding

/// A security event of a server.
public struct ServerEvent: Hashable, Sendable {
    /// The kind of the event.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// An account was created.
        case accountCreated = 1
        /// An account was erased.
        case accountErased = 2
        /// An account's data were exported.
        case accountExported = 3
        /// An account was locked.
        case accountLocked = 4
        /// An account was unlocked.
        case accountUnlocked = 5
        /// An account was recovered with a recovery code.
        case accountRecovered = 6
        /// A passkey was added.
        case passkeyAdded = 16
        /// A passkey was removed.
        case passkeyRemoved = 17
        /// The attestation of a passkey's authenticator lost its trust.
        case passkeyTrustLost = 18
        /// A passkey's signature counter went back: it may be a copy.
        case signCountFell = 19
        /// A passkey that could not be backed up says that it can be.
        case backupEligibilityRaised = 20
        /// A person signed in.
        case signedIn = 32
        /// A sign-in was refused.
        case signInRefused = 33
        /// A session was confirmed with a passkey again.
        case steppedUp = 34
        /// A session ended.
        case sessionEnded = 35
        /// A refresh token was used a second time: it may be stolen.
        case refreshTokenReused = 36
        /// A device was added.
        case deviceAdded = 48
        /// A device was revoked.
        case deviceRevoked = 49
        /// A device was attested.
        case deviceAttested = 50
        /// A device's attestation lost its trust.
        case deviceTrustLost = 51
        /// Recovery codes were made.
        case recoveryCodesMade = 64
        /// A recovery was refused.
        case recoveryRefused = 65
        /// Invitations were made.
        case invitationsMade = 66
        /// A participant on the server signed, or refused to.
        case coSigned = 80
        /// A signature of the guardian was refused.
        case coSigningRefused = 81
        /// A policy was changed.
        case policyChanged = 82
        /// The server started, or read its configuration again.
        case configured = 96
        /// A key of the server was replaced.
        case keyRotated = 97
        /// An operator used a command of the server.
        case operatorActed = 98
        /// Refused attempts of strangers were more than the log takes; the reason is their number, at most 65,535.
        case refusalsOmitted = 99
    }

    /// The kind.
    public let kind: Kind
    /// The id of the event. A server that was killed writes its last events again, with the same ids.
    public let id: ServerEventID
    /// The time of the event: milliseconds since 1970 by the server's clock. The entry's time is later, because events
    /// wait in the server's store until the log takes them.
    public let at: Int64
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
        _ kind: Kind, id: ServerEventID, at: Int64, account: AuditIdentifier?, device: AuditIdentifier? = nil,
        subject: AuditIdentifier? = nil, reason: UInt16 = 0
    ) {
        (self.kind, self.id, self.at) = (kind, id, at)
        (self.account, self.device, self.subject, self.reason) = (account, device, subject, reason)
    }

    /// Reads the fields of an event.
    ///
    /// - Throws: `EncodingError`.
    public init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: AuditLimits.payload)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// The fields as bytes.
    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 128)
        append(to: &writer)
        return writer.bytes
    }

    static let code: UInt16 = 0x0200

    func append(to writer: inout ByteWriter) {
        writer.append(kind.rawValue)
        writer.append(id.bytes)
        writer.bigEndian(UInt64(bitPattern: at))
        for identifier in [account, device, subject] { AuditIdentifier.append(identifier, to: &writer) }
        writer.bigEndian(reason)
    }

    init(from reader: inout ByteReader) throws(EncodingError) {
        guard let kind = Kind(rawValue: try reader.uint8()) else { throw .unsupported }
        let idBytes = try reader.bytes(ServerEventID.size)
        guard let id = try? ServerEventID(idBytes) else { throw .truncated }
        let at = Int64(bitPattern: try reader.bigEndian(UInt64.self))
        let account = try AuditIdentifier.read(from: &reader)
        let device = try AuditIdentifier.read(from: &reader)
        let subject = try AuditIdentifier.read(from: &reader)
        self.init(
            kind, id: id, at: at, account: account, device: device, subject: subject,
            reason: try reader.bigEndian(UInt16.self))
    }
}
