internal import AuthAPI

/// How much anybody may ask of the server at once. What an account may have is in `AuthLimits`.
enum Limits {
    /// Bytes of all header fields of one request. A DPoP proof and an access token take about 2,000.
    static let headerBytes = 16 << 10
    static let headerFields = 64
    /// Bytes of an address with its query: what every server should take (RFC 9110 section 4.1), which is more than any of ours
    /// has. It lies below ``headerBytes``, so that it can be told from them.
    static let addressBytes = 8_000
    /// Seconds after which a connection between two requests is closed.
    static let idleConnectionSeconds: Int64 = 60
    /// Milliseconds from the beginning of a connection, with the handshake of TLS, until its first head is complete. Browsers
    /// that open one in advance open another one where it is closed.
    static let firstHeadMilliseconds: Int64 = 10_000
    /// Milliseconds in which a request has to arrive, from its head to its end. The longest of ours has 64 KiB.
    static let requestMilliseconds: Int64 = 30_000
    /// Seconds that requests under way are given when the server stops.
    static let shutdownSeconds: Int64 = 20
    /// Milliseconds that a client has to take an answer, beside what its length takes.
    static let answerMilliseconds: Int64 = 30_000
    /// How fast a long answer has to be taken: more slowly than any network of today delivers it.
    static let answerBytesPerSecond = 16 << 10
    /// Milliseconds between the last answer of a connection and its end, in which the client may close it first.
    static let lingerMilliseconds: Int64 = 2_000
    /// Bytes that are read behind a refusal. A client that sends no more gets to read its answer, as the longest body that any
    /// endpoint takes is as long.
    static let refusedBytes = 64 << 10
    /// Connections at a time, where the operator says nothing.
    static let connections = 4_096
    /// Connections beyond those, for health checks and metrics: a flood must not make a server that works look dead.
    static let reservedConnections = 64
    /// Connections of one address: some twenty browsers, as a mobile carrier puts them behind one address.
    static let addressConnections = 128
    /// A quarter of all connections for one /48 of IPv6: a customer may have one, and a mobile carrier puts thousands of customers
    /// into one.
    static let customerShare = 4
    /// Connections that wait in the system's queue to be taken, for bursts.
    static let waitingConnections = 1_024
    /// Files that the server has open beside its connections: the store's, 100 connections to PostgreSQL at most, and the event
    /// loops' own, a few of each core.
    static let ownFiles = 256
    /// Bytes of log lines that wait to be written, some 5,000 lines: a reader may stall for seconds, and a log is not worth more
    /// memory.
    static let logBytes = 1 << 20
    /// Bytes of log lines that are written with one call: what a pipe holds.
    static let logWriteBytes = 64 << 10
    /// Milliseconds after a write in which lines of the log gather for the next one.
    static let logGatherMilliseconds = 20
    /// Seconds that the last lines of the log are given when the program ends.
    static let logFlushSeconds = 2.0
    /// Seconds for which a challenge of WebAuthn is good: as long as the browser's time limit, and a little more.
    static let challengeSeconds: Int64 = 5 * 60
    /// The time limit that the browser is told, in milliseconds.
    static let ceremonyMilliseconds: UInt32 = 4 * 60 * 1_000
    /// How often a sign-in is begun again because another one with the same passkey came between.
    static let overtakings = 4
    /// Exports of an account: a person wants one now and then, and a second one if the first was lost on the way.
    static let exports = ServerConfiguration.LimitSettings.Bucket(burst: 3, perMinute: 1)
    /// Exports at a time, of all accounts: each takes some MiB, and one of the store's connections for reading.
    static let exportsAtOnce = 2
    /// Milliseconds that a probe of readiness waits for the store, and for which its result counts.
    static let readinessMilliseconds: Int64 = 2_000
    static let readinessAgeMilliseconds: Int64 = 1_000
    /// Recovery codes of one account.
    static let recoveryCodes = 10
    /// Recovery codes of the old form that wait to be hashed, each 19 MiB and tens of milliseconds on one core: what one second
    /// can do. Who comes when there are more is told to come again.
    static let waitingRecoveryHashes = 16

    // MARK: Wrong signatures, in memory

    /// How many verifications may fail of an address that nobody known is at: at 0.1 ms each, five a second are a two-thousandth of
    /// a core. The burst is for clients with a fault, of which many can have one address.
    static let failedProofsOfAddress = ServerConfiguration.LimitSettings.Bucket(burst: 300, perMinute: 300)
    /// So for a network: a /24 of IPv4, a /48 and a /56 of IPv6, with all addresses in it.
    static let failedProofsOfNetwork = ServerConfiguration.LimitSettings.Bucket(burst: 1_200, perMinute: 1_200)
    /// So for a device that is known, at one address. A right client fails by a retry of its network library at most.
    static let failedProofsOfDevice = ServerConfiguration.LimitSettings.Bucket(burst: 30, perMinute: 30)
    /// Addresses, networks and devices whose wrong signatures are counted at a time: 4 MiB.
    static let meteredSubjects = 16_384
    /// Devices that are known as such: 8 MiB. One that is forgotten is an unknown one until its next success.
    static let knownDevices = 65_536

    // MARK: Addresses and networks

    /// Networks and device keys without a session whose requests are counted at a time: 4 MiB.
    static let limitedNetworks = 16_384
    /// Sessions that are remembered as told to wait: 2 MiB.
    static let pausedSessions = 16_384
    /// A fifth of all new accounts may come from one address of IPv4, or one /48 of IPv6: it takes five to use up what all have.
    static let signUpShare = 5
    /// Milliseconds between two lines of the log about one fault of the proxy: each request would be one.
    static let faultLogMilliseconds: Int64 = 60_000
    /// Invitations that are made at once: more are a list for a program, which can ask again.
    static let invitationsAtOnce = 1_000
    /// Hours for which an invitation can be good: a year.
    static let invitationHours = 1...8_760
    /// The age from which on `fuekid check` asks for a newer list of revoked certificates of Android. Google says to look
    /// often; a list that is fetched each day and once not fetched is younger.
    static let revocationListAge = Timestamp.Span.days(7)
    /// Days before the certificate expires from which on `fuekid check` says so: the alert is at seven.
    static let certificateDays = 7
    /// Changes that a reassessment lists one by one; it counts them all.
    static let listedChanges = 1_000
    /// Passkeys that a reassessment changes in one transaction, with their sessions. Others get their turn after it.
    static let judgedTogether = 50

    // MARK: What an account keeps in the store

    // An erasure removes all rows of an account in one transaction, which holds up every other account: some thousand rows take
    // some milliseconds.

    /// Sessions of an account that have ended and stay to be seen.
    static let endedSessions: Int64 = 100
    /// Devices of an account that were revoked and are remembered, so that their keys do not come back. Beyond it the key that was
    /// revoked first is forgotten: its holder still needs a passkey.
    static let revokedDevices: Int64 = 200
    /// Events of one kind that an account keeps. Each kind has its own limit, so that many events of one kind do not push out
    /// those of another.
    static let eventsOfKind: Int64 = 500
    /// Rows beyond these limits that one sign-in removes.
    static let prunedAtOnce: Int64 = 100
}
