internal import Curves
internal import Secrets

@testable internal import Threshold

extension FuzzEntry {
    /// Host keys, and the messages of key generation, for both curves. The ECDSA suite has the same messages as
    /// BIP-340's.
    static let keyGeneration: [FuzzEntry] =
        generation(DKG.BIP340.self, "bip340") + generation(DKG.Ed25519.self, "ed25519")

    private static func generation<Suite: DKG.Ciphersuite>(_: Suite.Type, _ suite: String) -> [FuzzEntry] {
        let run = Once { try SeedGeneration<Suite>() }
        let first = ParticipantIndex(unchecked: 1)
        return [
            FuzzEntry("host-key-\(suite)", seeds: [exposed(SeedGeneration<Suite>.hostKey(1).encoded())]) {
                exposed(try DKG.HostKey<Suite>(decoding: secret($0)).encoded())
            },
            FuzzEntry("dkg-participant-1-\(suite)", seeds: [try run.value.contributions[first].required()]) {
                let session = try run.value.session
                return try DKG.ParticipantMessage1<Suite>(decoding: $0, from: first, in: session)
                    .encoded(from: first, in: session)
            },
            FuzzEntry("dkg-coordinator-1-\(suite)", seeds: [try run.value.sums]) {
                let session = try run.value.session
                return try DKG.CoordinatorMessage1<Suite>(decoding: $0, in: session).encoded(in: session)
            },
            FuzzEntry("dkg-participant-2-\(suite)", seeds: [try run.value.signatures[first].required()]) {
                let session = try run.value.session
                return try DKG.ParticipantMessage2<Suite>(decoding: $0, from: first, in: session)
                    .encoded(from: first, in: session)
            },
            FuzzEntry("dkg-coordinator-2-\(suite)", seeds: [try run.value.certificate]) {
                let session = try run.value.session
                return try DKG.CoordinatorMessage2<Suite>(decoding: $0, in: session).encoded(in: session)
            },
            FuzzEntry("dkg-investigation-\(suite)", seeds: [try run.value.investigation]) {
                let session = try run.value.session
                return try DKG.InvestigationMessage<Suite>(decoding: $0, for: first, in: session)
                    .encoded(for: first, in: session)
            },
            FuzzEntry("dkg-recovery-\(suite)", seeds: [try run.value.recoveryData.encoded]) {
                let data = try DKG.RecoveryData<Suite>(decoding: $0)
                _ = try? data.group()
                return data.encoded
            },
            FuzzEntry("dkg-acknowledgement-\(suite)", seeds: [try run.value.acknowledgements[first].required()]) {
                input in
                let run = try run.value
                var acknowledgements = run.acknowledgements
                acknowledgements[first] = input
                try run.recoveryData.verify(acknowledgements: acknowledgements)
                return input
            },
        ]
    }
}

/// A key generation of two of three, with all of its messages.
struct SeedGeneration<Suite: DKG.Ciphersuite>: Sendable {
    let session: DKG.Session<Suite>
    let contributions: [ParticipantIndex: [UInt8]]
    let sums: [UInt8]
    let signatures: [ParticipantIndex: [UInt8]]
    let certificate: [UInt8]
    /// The investigation for participant 1.
    let investigation: [UInt8]
    let recoveryData: DKG.RecoveryData<Suite>
    let acknowledgements: [ParticipantIndex: [UInt8]]

    static func hostKey(_ number: Int) -> DKG.HostKey<Suite> { DKG.HostKey(from: SeedRandom(UInt64(number))) }

    init() throws {
        let session = try DKG.Session<Suite>(
            threshold: 2, hostKeys: (1...3).map { Self.hostKey($0).publicKey.encoded })
        let indices = session.parameters.indices
        // It is made again for each step, because a state cannot be copied. Its random bytes are the same.
        func contribution(of index: ParticipantIndex) throws -> DKG.Contribution<Suite> {
            try DKG.Contribution(
                hostKey: Self.hostKey(index.value), session: session, random: SeedRandom(UInt64(10 + index.value)))
        }
        func each(_ message: (ParticipantIndex) throws -> [UInt8]) throws -> [ParticipantIndex: [UInt8]] {
            Dictionary(uniqueKeysWithValues: try indices.map { ($0, try message($0)) })
        }
        let contributions = try each { try contribution(of: $0).message }
        let coordinator = try DKG.Coordinator(session: session, messages: contributions)
        let sums = coordinator.message
        let signatures = try each { index in
            try contribution(of: index)
                .receive(sums, hostKey: Self.hostKey(index.value), random: SeedRandom(UInt64(20 + index.value)))
                .share().message
        }
        investigation = try coordinator.investigation(for: indices[0])
        let certificate = try coordinator.certify(signatures)
        acknowledgements = try each {
            try certificate.recoveryData.acknowledgement(
                hostKey: Self.hostKey($0.value), random: SeedRandom(UInt64(30 + $0.value)))
        }
        self.session = session
        self.contributions = contributions
        self.sums = sums
        self.signatures = signatures
        self.certificate = certificate.message
        recoveryData = certificate.recoveryData
    }
}
