internal import Curves
package import Threshold

/// The terms of a sharing ceremony, as the user asked for it. Every participant knows them from the user, not from a
/// message.
package struct SharingTerms: Equatable, Sendable {
    /// The origins of the keys.
    package let origins: KeyOrigins
    /// The epoch of the present shares; 0 if no shares exist yet.
    package let epoch: Int
    /// The indices of the participants that deal their present shares or whole keys, ascending. All participants deal a
    /// new key.
    package let dealers: [Int]
    /// The threshold and number of new shares. Their participants are 1...n.
    package let parameters: ThresholdParameters

    /// Creates the terms of a key generation: all participants deal to all keys, and receive.
    package init(generating parameters: ThresholdParameters) {
        origins = .fresh
        epoch = 0
        dealers = []
        self.parameters = parameters
    }

    /// Creates the terms of a renewal.
    ///
    /// - Parameters:
    ///   - keys: the keys, with their present shares.
    ///   - epoch: the epoch of the present shares.
    package init(renewing keys: GroupKeys, epoch: Int, dealers: [Int], parameters: ThresholdParameters) {
        origins = KeyOrigins(renewing: keys, epoch: epoch)
        self.epoch = epoch
        self.dealers = dealers
        self.parameters = parameters
    }

    /// Creates the terms of an import: participant 1 has the whole keys.
    package init(importing keys: ImportedPublicKeys, parameters: ThresholdParameters) {
        origins = KeyOrigins(importing: keys)
        epoch = 0
        dealers = [1]
        self.parameters = parameters
    }

    /// The indices of all participants, ascending.
    package var indices: [Int] { Set(dealers).union(parameters.indices.map(\.value)).sorted() }

    package func isDealer(_ index: Int) -> Bool { dealers.contains(index) }
    package func isReceiver(_ index: Int) -> Bool { index <= parameters.total }

    private func isDealer<Group: Curve>(_ index: Int, of origin: Sharing.Origin<Group>) -> Bool {
        origin == .fresh ? isReceiver(index) : isDealer(index)
    }

    /// Returns the session of one purpose, from the introductions of all participants in the order of ``indices``.
    /// Every participant computes the same, from its own knowledge of the key.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)``.
    func session<Suite: Sharing.Ciphersuite>(
        from origin: Sharing.Origin<Suite.Group>, introductions: [[UInt8]], suite _: Suite.Type
    ) throws(CeremonyError) -> Sharing.Session<Suite> {
        try inProtocol { () throws(ThresholdError) in
            var dealing: [ParticipantIndex: [UInt8]] = [:]
            var receiving: [[UInt8]] = []
            for (index, introduction) in zip(indices, introductions) {
                if isDealer(index) { dealing[try ParticipantIndex(index)] = introduction }
                if isReceiver(index) { receiving.append(introduction) }
            }
            switch origin {
            case .fresh:
                return try Sharing.Session(fresh: parameters.threshold, participants: receiving)
            case .shares(let group, let epoch):
                return try Sharing.Session(
                    resharing: group, epoch: epoch, dealers: dealing, threshold: parameters.threshold,
                    receivers: receiving)
            case .whole(let publicKey):
                guard let dealer = dealing.first?.value, dealing.count == 1 else {
                    throw ThresholdError.invalidParameters
                }
                return try Sharing.Session(
                    importing: publicKey, dealer: dealer, threshold: parameters.threshold, receivers: receiving)
            }
        }
    }

    /// A participant's roles in a session.
    typealias Seat = (dealer: ParticipantIndex?, receiver: ParticipantIndex?)

    /// Returns each participant's roles in a session of this origin, in the order of ``indices``.
    func seats<Group: Curve>(from origin: Sharing.Origin<Group>) -> [Seat] {
        indices.map { seat(of: $0, from: origin) }
    }

    func seat<Group: Curve>(of index: Int, from origin: Sharing.Origin<Group>) -> Seat {
        let number = try? ParticipantIndex(index)
        return (isDealer(index, of: origin) ? number : nil, isReceiver(index) ? number : nil)
    }
}
