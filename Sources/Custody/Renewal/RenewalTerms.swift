internal import Threshold

/// What a renewal is to do, as the person asked for it. Every holder knows it from the person, and not from a message.
struct RenewalTerms: Equatable, Sendable {
    /// The keys with their present shares.
    let keys: GroupKeys
    /// How often those were renewed.
    let epoch: Int
    /// The holders that deal their present shares anew, by their indices, ascending.
    let dealers: [Int]
    /// How many new shares there will be, and how many of them will sign. Their holders are 1...n.
    let parameters: ThresholdParameters

    /// All who take part, ascending.
    var indices: [Int] { Set(dealers).union(parameters.indices.map(\.value)).sorted() }

    func isDealer(_ index: Int) -> Bool { dealers.contains(index) }
    func isReceiver(_ index: Int) -> Bool { index <= parameters.total }

    /// The session of one purpose, from what all have introduced themselves with, in the order of ``indices``. Everybody makes
    /// it alike, from own knowledge of the key.
    ///
    /// - Throws: ``CustodyError/ceremony(_:)``.
    func session<Suite: DKG.Ciphersuite>(
        for group: GroupKey<Suite.Group>, introductions: [[UInt8]], suite _: Suite.Type
    ) throws(CustodyError) -> Sharing.Session<Suite> {
        try inCeremony { () throws(ThresholdError) in
            var dealing: [ParticipantIndex: [UInt8]] = [:]
            var receiving: [[UInt8]] = []
            for (index, introduction) in zip(indices, introductions) {
                if isDealer(index) { dealing[try ParticipantIndex(index)] = introduction }
                if isReceiver(index) { receiving.append(introduction) }
            }
            return try Sharing.Session(
                resharing: group, epoch: epoch, dealers: dealing, threshold: parameters.threshold, receivers: receiving)
        }
    }

    /// Who each holder is in a session, in the order of ``indices``.
    var seats: [(dealer: ParticipantIndex?, receiver: ParticipantIndex?)] {
        indices.map { index in
            let number = try? ParticipantIndex(index)
            return (isDealer(index) ? number : nil, isReceiver(index) ? number : nil)
        }
    }
}
