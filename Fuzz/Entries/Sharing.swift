internal import Curves
internal import Secrets

@testable internal import Threshold

extension FuzzEntry {
    /// Host keys, and the messages that make, renew and deal shares, for both curves. The ECDSA suite has the same
    /// messages as BIP-340's.
    static let sharing: [FuzzEntry] = sharing(Sharing.BIP340.self, "bip340") + sharing(Sharing.Ed25519.self, "ed25519")

    private static func sharing<Suite: Sharing.Ciphersuite>(_: Suite.Type, _ suite: String) -> [FuzzEntry] {
        let run = Once { try SeedSharing<Suite>(try SeedSharing<Suite>.renewal()) }
        return [
            FuzzEntry("host-key-\(suite)", seeds: [exposed(SeedSharing<Suite>.hostKey(1).encoded())]) {
                exposed(try Sharing.HostKey<Suite>(decoding: secret($0)).encoded())
            },
            FuzzEntry("sharing-introduction-\(suite)", seeds: [SeedSharing<Suite>.introduction(1).message]) {
                try Sharing.Member<Suite.Group>(introduction: $0, to: Suite.self).introduction(to: Suite.self)
            },
            FuzzEntry(
                "sharing-session-\(suite)",
                seeds: try [SeedSharing<Suite>.fresh(), SeedSharing<Suite>.renewal(), SeedSharing<Suite>.whole()].map(
                    \.encoded)
            ) { try Sharing.Session<Suite>(decoding: $0).encoded },
            FuzzEntry("sharing-commitment-\(suite)", seeds: [try run.value.commitment]) { input in
                let run = try run.value
                var commitments = run.commitments
                commitments[run.dealer] = input
                _ = try Sharing.Coordinator(session: run.session, commitments: commitments)
                return input
            },
            FuzzEntry("sharing-commitments-\(suite)", seeds: [try run.value.commitmentList]) {
                let session = try run.value.session
                return try Sharing.CommitmentList<Suite>(decoding: $0, in: session).encoded(in: session)
            },
            FuzzEntry("sharing-opening-\(suite)", seeds: [try run.value.opening]) {
                let run = try run.value
                return try Sharing.Opening<Suite>(decoding: $0, from: run.dealer, in: run.session)
                    .encoded(from: run.dealer, in: run.session)
            },
            FuzzEntry("sharing-openings-\(suite)", seeds: [try run.value.openingList]) {
                let session = try run.value.session
                return try Sharing.OpeningList<Suite>(decoding: $0, in: session).encoded(in: session)
            },
            FuzzEntry("sharing-confirmation-\(suite)", seeds: [try run.value.confirmation]) {
                let run = try run.value
                return try Sharing.Confirmation<Suite>(decoding: $0, from: run.dealer, in: run.session)
                    .encoded(from: run.dealer, in: run.session)
            },
            FuzzEntry("sharing-confirmations-\(suite)", seeds: [try run.value.confirmationList]) {
                let session = try run.value.session
                return try Sharing.ConfirmationList<Suite>(decoding: $0, in: session).encoded(in: session)
            },
            FuzzEntry(
                "sharing-recovery-\(suite)",
                seeds: [
                    try SeedSharing<Suite>(SeedSharing<Suite>.fresh()).recoveryData.encoded,
                    try run.value.recoveryData.encoded,
                ]
            ) { try Sharing.RecoveryData<Suite>(decoding: $0).encoded },
            FuzzEntry("sharing-acknowledgement-\(suite)", seeds: [try run.value.acknowledgement]) { input in
                let run = try run.value
                var acknowledgements = run.acknowledgements
                acknowledgements[run.dealer] = input
                try run.recoveryData.verify(acknowledgements: acknowledgements)
                return input
            },
        ]
    }
}

/// A session with all of its messages. Those of a single party belong to the first dealer, who receives as well.
struct SeedSharing<Suite: Sharing.Ciphersuite>: Sendable {
    typealias Messages = [Sharing.Party: [UInt8]]

    let session: Sharing.Session<Suite>
    let dealer: Sharing.Party
    let commitments: Messages
    let commitmentList: [UInt8]
    let openings: Messages
    let openingList: [UInt8]
    let confirmations: Messages
    let confirmationList: [UInt8]
    let recoveryData: Sharing.RecoveryData<Suite>
    let acknowledgements: Messages

    var commitment: [UInt8] { get throws { try commitments[dealer].required() } }
    var opening: [UInt8] { get throws { try openings[dealer].required() } }
    var confirmation: [UInt8] { get throws { try confirmations[dealer].required() } }
    var acknowledgement: [UInt8] { get throws { try acknowledgements[dealer].required() } }

    static func hostKey(_ number: Int) -> Sharing.HostKey<Suite> { Sharing.HostKey(from: SeedRandom(UInt64(number))) }

    static func introduction(_ number: Int) -> Sharing.Introduction<Suite> {
        Sharing.Introduction(hostKey: hostKey(number), random: SeedRandom(UInt64(10 + number)))
    }

    // MARK: Sessions

    /// Returns a session for a new key.
    static func fresh() throws -> Sharing.Session<Suite> {
        try Sharing.Session(fresh: 2, participants: (1...3).map { introduction($0).message })
    }

    /// Returns a session in which participants 1 and 2 make new shares of a key, one of them for a third participant.
    static func renewal() throws -> Sharing.Session<Suite> {
        try Sharing.Session(
            resharing: try SeedKey<Suite.Group>(2, of: 3).group, epoch: 4,
            dealers: [
                ParticipantIndex(unchecked: 1): introduction(1).message,
                ParticipantIndex(unchecked: 2): introduction(2).message,
            ], threshold: 2, receivers: (1...3).map { introduction($0).message })
    }

    /// Returns a session that makes shares of a whole key.
    static func whole() throws -> Sharing.Session<Suite> {
        try Sharing.Session(
            importing: Suite.Group.Point.generator, dealer: introduction(1).message, threshold: 2,
            receivers: (1...3).map { introduction($0).message })
    }

    // MARK: A run

    /// Runs a session.
    ///
    /// - Parameter session: ``fresh()`` or ``renewal()``.
    init(_ session: Sharing.Session<Suite>) throws {
        func number(_ party: Sharing.Party) throws -> Int {
            try (1...3).first { session.party(of: Self.hostKey($0).publicKey) == party }.required()
        }
        // It is made again for each step, because a state cannot be copied. Its random bytes are the same.
        func committed(_ party: Sharing.Party) throws -> Sharing.Committed<Suite> {
            let number = try number(party)
            let random = SeedRandom(UInt64(20 + number))
            guard case .shares = session.origin, let dealer = party.dealer else {
                return try Self.introduction(number).begin(session, hostKey: Self.hostKey(number), random: random)
            }
            return try Self.introduction(number).begin(
                session, hostKey: Self.hostKey(number), share: SeedKey(2, of: 3).share(dealer.value), epoch: 4,
                random: random)
        }
        func each(_ parties: [Sharing.Party], _ message: (Sharing.Party) throws -> [UInt8]?) throws -> Messages {
            Dictionary(uniqueKeysWithValues: try parties.map { ($0, try message($0).required()) })
        }
        let dealers = session.parties.filter { $0.dealer != nil }
        commitments = try each(dealers) { try committed($0).message }
        let coordinator = try Sharing.Coordinator(session: session, commitments: commitments)
        openings = try each(dealers) { try committed($0).open(coordinator.message).message }
        let dealings = try coordinator.collect(openings: openings)
        confirmations = try each(session.parties) { party in
            let number = try number(party)
            return try committed(party).open(coordinator.message)
                .receive(dealings.message, hostKey: Self.hostKey(number), random: SeedRandom(UInt64(30 + number)))
                .message
        }
        let certificate = try dealings.certify(confirmations)
        acknowledgements = try each(session.parties.filter { $0.receiver != nil }) { party in
            let number = try number(party)
            return try certificate.recoveryData.acknowledgement(
                hostKey: Self.hostKey(number), random: SeedRandom(UInt64(40 + number)))
        }
        self.session = session
        dealer = dealers[0]
        commitmentList = coordinator.message
        openingList = dealings.message
        confirmationList = certificate.message
        recoveryData = certificate.recoveryData
    }
}
