internal import AuthSettings

/// The limits of the server's load. The limits of one account are in `AuthLimits`.
enum Limits {
    /// Seconds for requests under way when the server stops.
    static let shutdownSeconds: Int64 = 20
    /// Seconds for which a WebAuthn challenge is valid: a little longer than the browser's time limit.
    static let challengeSeconds: Int64 = 5 * 60
    /// The time limit that the browser receives, in milliseconds.
    static let ceremonyMilliseconds: UInt32 = 4 * 60 * 1_000
    /// The number of times that a sign-in is retried because another one with the same passkey changed the row
    /// meanwhile.
    static let overtakings = 4
    /// Exports of an account: a person needs one rarely, and a second one if the first was lost in transit.
    static let exports = ServerConfiguration.LimitSettings.Bucket(burst: 3, perMinute: 1)
    /// What the holder of a fresh sign-in adds to an account: passkeys, and new recovery codes. The burst takes all the
    /// passkeys that an account may have; two a minute are 2,880 entries of the audit log a day, some 400 KB.
    static let accountChanges = ServerConfiguration.LimitSettings.Bucket(burst: 30, perMinute: 2)
    /// Hours after which a device that was not used makes room for a new one. A client in use refreshes its access token
    /// within minutes, so a device is not in use if it did not for a day; and its owner signs in again with one touch.
    static let idleDeviceHours: Int64 = 24
    /// Exports at a time, over all accounts: each takes a few MiB, and one of the store's connections for reading.
    static let exportsAtOnce = 2
    /// Recovery codes of one account.
    static let recoveryCodes = 10
    /// Recovery codes of the old form that wait to be hashed, each with 19 MiB and tens of milliseconds on one core:
    /// the work of one second. Requests beyond that are told to retry.
    static let waitingRecoveryHashes = 16

    // MARK: The pages

    /// The number of language ranges of a request that are read: browsers send all that their users have set.
    static let languageRanges = 32
    /// The number of cookies of a request that are read. The server has one; others come from programs on the same host.
    static let cookies = 64

    // MARK: Wrong signatures, in memory

    /// Failed verifications of an address without known devices: at 0.1 ms each, five a second are a two-thousandth of
    /// a core. The burst is for faulty clients: many of them can share one address.
    static let failedProofsOfAddress = ServerConfiguration.LimitSettings.Bucket(burst: 300, perMinute: 300)
    /// Failed verifications of a network: a /24 of IPv4, a /48 and a /56 of IPv6, with all addresses in it.
    static let failedProofsOfNetwork = ServerConfiguration.LimitSettings.Bucket(burst: 1_200, perMinute: 1_200)
    /// Failed verifications of a known device at one address. A correct client fails only when its network library
    /// repeats a request.
    static let failedProofsOfDevice = ServerConfiguration.LimitSettings.Bucket(burst: 30, perMinute: 30)
    /// Addresses, networks and devices whose wrong signatures are counted at a time: 4 MiB.
    static let meteredSubjects = 16_384
    /// Known devices that are remembered: 8 MiB. A forgotten device counts as unknown until its next success.
    static let knownDevices = 65_536

    // MARK: Addresses and networks

    /// Networks and device keys without a session whose requests are counted at a time: 4 MiB.
    static let limitedNetworks = 16_384
    /// The number of refused sessions whose waiting times are remembered: 2 MiB.
    static let pausedSessions = 16_384
    /// The divisor for new accounts: one IPv4 address, or one IPv6 /48, may make a fifth of all new accounts, so it
    /// takes five to use up the limit.
    static let signUpShare = 5

    // MARK: The audit log

    /// Requests for checkpoints, and to the witness, from one network: a device makes two for each checkpoint.
    static let auditRequests = ServerConfiguration.LimitSettings.Bucket(burst: 240, perMinute: 120)
}
