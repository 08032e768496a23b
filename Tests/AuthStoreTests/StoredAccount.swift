internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import StoreTestSupport

/// An account with one device and one session.
struct StoredAccount {
    let account: AccountRow
    let device: DeviceRow
    let session: SessionRow

    /// - Parameter number: a number in all ids and hashes, which distinguishes two accounts.
    init(_ number: UInt8) {
        account = AccountRow(id: id(number), name: "account \(number)", createdAt: now)
        device = DeviceRow(
            id: id(number), account: account.id, keyThumbprint: bytes(number), name: "device \(number)",
            createdAt: now, lastSeenAt: now)
        session = SessionRow(
            id: id(number), account: account.id, device: device.id, keyThumbprint: bytes(number), generation: 0,
            currentHash: bytes(number), recent: [], issuedAt: now, idleExpiresAt: now.plus(1000),
            expiresAt: now.plus(2000), lastUsedAt: now, authTime: now, acr: "urn:fueki:aal2", amr: "hwk user",
            scope: "openid")
    }

    func add(in transaction: some Transaction) throws(StoreError) {
        try Accounts.add(account, sealer: sealer, in: transaction)
        guard try Devices.add(device, sealer: sealer, in: transaction) else { throw .conflict }
        try Sessions.add(session, in: transaction)
    }

    func passkey(_ credential: UInt8) -> PasskeyRow {
        PasskeyRow(
            credentialID: bytes(credential, 20), account: account.id, publicKey: [1, 2, 3], algorithm: -7,
            signCount: 5, isBackupEligible: true, isBackedUp: false, isUserVerificationInitialized: true,
            transports: "internal hybrid", aaguid: bytes(9, 16), attestationFormat: "packed",
            attestationTrust: "basic", attestation: [4, 5, 6], label: "telephone", createdAt: now)
    }
}
