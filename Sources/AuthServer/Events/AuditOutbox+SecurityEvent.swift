internal import AuditLog
internal import AuthAPI
internal import Crypto
internal import SQLStore
internal import ServerAudit
internal import Time

extension AuditOutbox {
    /// Adds a security event to the queue.
    ///
    /// - Throws: ``AuditFault`` if the log does not take events, and ``StoreError``: the change must not be made.
    func add(
        _ event: SecurityEvent, id: [UInt8], account: AccountID?, _ details: EventDetails, at now: Timestamp,
        sealer: ColumnSealer, in transaction: any Transaction
    ) throws {
        try add(
            ServerEvent(event, id: id, account: account, details, at: now),
            isRefusalOfStranger: event.isRefusalOfStranger, at: now, sealer: sealer, in: transaction)
    }
}

extension SecurityEvent {
    /// Whether persons without an account can cause the event as often as the limits allow.
    var isRefusalOfStranger: Bool { self == .signInRefused || self == .recoveryRefused }

    /// The kind of the event in an audit log.
    var auditKind: ServerEvent.Kind {
        switch self {
        case .accountCreated: .accountCreated
        case .accountErased: .accountErased
        case .accountExported: .accountExported
        case .accountLocked: .accountLocked
        case .accountUnlocked: .accountUnlocked
        case .passkeyAdded: .passkeyAdded
        case .passkeyRemoved: .passkeyRemoved
        case .passkeyTrustLost: .passkeyTrustLost
        case .signedIn: .signedIn
        case .signInRefused: .signInRefused
        case .steppedUp: .steppedUp
        case .signCountFell: .signCountFell
        case .backupEligibilityRaised: .backupEligibilityRaised
        case .sessionEnded: .sessionEnded
        case .refreshTokenReused: .refreshTokenReused
        case .deviceAdded: .deviceAdded
        case .deviceRevoked: .deviceRevoked
        case .deviceAttested: .deviceAttested
        case .deviceTrustLost: .deviceTrustLost
        case .recoveryCodesMade: .recoveryCodesMade
        case .recoveryRefused: .recoveryRefused
        case .accountRecovered: .accountRecovered
        case .invitationsMade: .invitationsMade
        }
    }
}

extension ServerEvent {
    /// Creates the event of an audit log for a security event. The address of the client stays in the store, which
    /// forgets it: entries of an audit log are never removed.
    init(
        _ event: SecurityEvent, id: [UInt8], account: AccountID?, _ details: EventDetails, at now: Timestamp
    ) throws(AuditLogError) {
        let subject = details.passkey.map { Array(SHA256.hash(data: $0)) } ?? details.session?.bytes
        self.init(
            event.auditKind, id: try ServerEventID(id), at: now.milliseconds,
            account: try account.map { account throws(AuditLogError) in try AuditIdentifier(account.bytes) },
            device: try details.device.map { device throws(AuditLogError) in try AuditIdentifier(device.bytes) },
            subject: try subject.map { subject throws(AuditLogError) in try AuditIdentifier(subject) },
            reason: AuditReason.code(of: details.reason, for: event))
    }
}
