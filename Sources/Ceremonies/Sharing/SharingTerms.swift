internal import Curves
package import Threshold

/// What a ceremony of sharing is to do, as the person asked for it. Every participant knows it from the person, and not from a
/// message.
package struct SharingTerms: Equatable, Sendable {
    /// Where the keys come from.
    package let origins: KeyOrigins
    /// How often the present shares were renewed; 0 where there are none.
    package let epoch: Int
    /// The participants that deal what they have, their present shares or whole keys, by their indices, ascending. A key that comes
    /// from nowhere is dealt by all.
    package let dealers: [Int]
    /// How many new shares there will be, and how many of them will sign. Their participants are 1...n.
    package let parameters: ThresholdParameters

    /// New shares of the same keys.
    ///
    /// - Parameters:
    ///   - keys: with their present shares.
    ///   - epoch: how often those were renewed.
    package init(renewing keys: GroupKeys, epoch: Int, dealers: [Int], parameters: ThresholdParameters) {
        origins = KeyOrigins(renewing: keys, epoch: epoch)
        self.epoch = epoch
        self.dealers = dealers
        self.parameters = parameters
    }

    /// The first shares of keys that participant 1 has whole.
    package init(importing keys: ImportedPublicKeys, parameters: ThresholdParameters) {
        origins = KeyOrigins(importing: keys)
        epoch = 0
        dealers = [1]
        self.parameters = parameters
    }

    /// All who take part, ascending.
    package var indices: [Int] { Set(dealers).union(parameters.indices.map(\.value)).sorted() }

    package func isDealer(_ index: Int) -> Bool { dealers.contains(index) }
    package func isReceiver(_ index: Int) -> Bool { index <= parameters.total }

    private func isDealer<Group: Curve>(_ index: Int, of origin: Sharing.Origin<Group>) -> Bool {
        origin == .fresh ? isReceiver(index) : isDealer(index)
    }

    /// The session of one purpose, from what all have introduced themselves with, in the order of ``indices``. Everybody makes
    /// it alike, from own knowledge of the key.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)``.
    func session<Suite: DKG.Ciphersuite>(
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

    /// Who a participant is in a session.
    typealias Seat = (dealer: ParticipantIndex?, receiver: ParticipantIndex?)

    /// Who each participant is in a session of this origin, in the order of ``indices``.
    func seats<Group: Curve>(from origin: Sharing.Origin<Group>) -> [Seat] {
        indices.map { seat(of: $0, from: origin) }
    }

    func seat<Group: Curve>(of index: Int, from origin: Sharing.Origin<Group>) -> Seat {
        let number = try? ParticipantIndex(index)
        return (isDealer(index, of: origin) ? number : nil, isReceiver(index) ? number : nil)
    }
}
