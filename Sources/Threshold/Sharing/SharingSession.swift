public import Curves

extension Sharing {
    /// The terms that all parties must agree on before they begin: the origin, the dealers, the receivers, and the
    /// threshold.
    ///
    /// - Warning: An attacker who replaces an introduction during the exchange takes that participant's place. Compare
    ///   the host keys with known ones, or ``hash`` over an authenticated channel.
    public struct Session<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        /// The origin of the shared secret.
        public let origin: Origin<Suite.Group>
        /// The threshold and number of the new shares.
        public let parameters: ThresholdParameters
        /// All parties: dealers first, then those that only receive.
        public let parties: [Party]
        /// The hash of these terms, 32 bytes.
        public let hash: [UInt8]
        /// The indices of the dealers, ascending. Dealer k is party k + 1.
        let dealers: [ParticipantIndex]
        /// The introduction of party k, at k - 1.
        let members: [Member<Suite.Group>]

        /// Creates the session of a new key. All participants deal and receive.
        ///
        /// - Parameters:
        ///   - threshold: the threshold of the new key.
        ///   - participants: the introduction of participant i, at i - 1.
        /// - Throws: ``ThresholdError/invalidParameters``, or ``ThresholdError/sharing(_:)`` with
        ///   ``Fault/invalidIntroduction(of:)`` or ``Fault/duplicateHostKey(of:and:)``.
        public init(fresh threshold: Int, participants: [[UInt8]]) throws(ThresholdError) {
            let parameters = try ThresholdParameters(threshold: threshold, total: participants.count)
            let members = try Self.members(participants, parameters)
            try self.init(
                origin: .fresh, parameters: parameters, dealers: parameters.indices, dealing: members,
                receiving: members)
        }

        /// Creates the session of new shares from old ones: a refresh, if threshold and receivers are the same; the
        /// repair of a lost share, if its participant is among the receivers only; or the move to another group and
        /// threshold.
        ///
        /// - Parameters:
        ///   - group: the key with its present shares.
        ///   - epoch: the epoch of the present shares.
        ///   - dealers: the introductions of at least a threshold of the present participants, by their present
        ///     indices.
        ///   - threshold: the threshold of the new shares.
        ///   - receivers: the introduction of the future participant i, at i - 1.
        /// - Throws: ``ThresholdError/invalidParameters``, ``ThresholdError/unknownParticipant(_:)`` or
        ///   ``ThresholdError/tooFewSigners(needed:)``, or ``ThresholdError/sharing(_:)`` with
        ///   ``Fault/invalidIntroduction(of:)`` or ``Fault/duplicateHostKey(of:and:)``.
        public init(
            resharing group: GroupKey<Suite.Group>, epoch: Int, dealers: [ParticipantIndex: [UInt8]], threshold: Int,
            receivers: [[UInt8]]
        ) throws(ThresholdError) {
            let parameters = try ThresholdParameters(threshold: threshold, total: receivers.count)
            let indices = dealers.keys.sorted()
            var dealing: [Member<Suite.Group>] = []
            for index in indices {
                guard let introduction = dealers[index] else { continue }
                dealing.append(try Self.member(introduction, as: .dealer(index)))
            }
            try self.init(
                origin: .shares(of: group, epoch: epoch), parameters: parameters, dealers: indices, dealing: dealing,
                receiving: try Self.members(receivers, parameters))
        }

        /// Creates the session of an import: shares of a key that one dealer has whole.
        ///
        /// - Warning: see ``Origin/whole(publicKey:)``.
        /// - Parameters:
        ///   - publicKey: the key whose secret is shared.
        ///   - dealer: the introduction of the dealer. It may also be among the receivers.
        ///   - threshold: the threshold of the new shares.
        ///   - receivers: the introduction of the future participant i, at i - 1.
        /// - Throws: ``ThresholdError/invalidParameters``, ``ThresholdError/invalidElement``, or
        ///   ``ThresholdError/sharing(_:)`` with ``Fault/invalidIntroduction(of:)`` or ``Fault/duplicateHostKey(of:and:)``.
        public init(
            importing publicKey: Suite.Group.Point, dealer: [UInt8], threshold: Int, receivers: [[UInt8]]
        ) throws(ThresholdError) {
            let parameters = try ThresholdParameters(threshold: threshold, total: receivers.count)
            let index = Self.importer
            try self.init(
                origin: .whole(publicKey: publicKey), parameters: parameters, dealers: [index],
                dealing: [try Self.member(dealer, as: .dealer(index))],
                receiving: try Self.members(receivers, parameters))
        }

        /// The index of the one dealer of an imported key.
        static var importer: ParticipantIndex { ParticipantIndex(unchecked: 1) }

        init(
            origin: Origin<Suite.Group>, parameters: ThresholdParameters, dealers: [ParticipantIndex],
            dealing: [Member<Suite.Group>], receiving: [Member<Suite.Group>]
        ) throws(ThresholdError) {
            switch origin {
            case .fresh: break
            case .shares(let group, let epoch):
                guard (0..<ThresholdLimits.lastEpoch).contains(epoch) else { throw .invalidParameters }
                try group.parameters.check(signers: dealers)
            case .whole(let publicKey):
                guard !publicKey.isIdentity else { throw .invalidElement }
            }
            self.origin = origin
            self.parameters = parameters
            self.dealers = dealers
            (parties, members) = try Self.parties(dealers, dealing, receiving)
            hash = Array(
                Suite.hash(
                    "sharing session",
                    Self.encode(origin, parameters.threshold, dealers, dealing: dealing, receiving: receiving)
                ).prefix(32))
        }

        /// The epoch of the new shares: 0 for a new or imported key.
        public var epoch: Int { origin.resultingEpoch }

        /// The host keys of the future participants, by their indices.
        public var receiverHostKeys: [Suite.Group.Point] { receiving.map(\.hostKey) }

        /// Returns the party with this host key; nil if no party has it.
        public func party(of hostKey: Suite.Group.Point) -> Party? {
            members.firstIndex { $0.hostKey == hostKey }.map { parties[$0] }
        }
    }
}

extension Sharing.Session {
    /// The parties that deal. Dealer k is party k + 1.
    var dealing: ArraySlice<Sharing.Party> { parties.prefix(dealers.count) }

    /// The introductions of the future participants, in the order of their indices.
    var receiving: [Sharing.Member<Suite.Group>] {
        zip(parties, members).compactMap { party, member in party.receiver.map { ($0, member) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    func member(_ party: Sharing.Party) -> Sharing.Member<Suite.Group> { members[party.number - 1] }

    private static func members(
        _ introductions: [[UInt8]], _ parameters: ThresholdParameters
    ) throws(ThresholdError) -> [Sharing.Member<Suite.Group>] {
        var members: [Sharing.Member<Suite.Group>] = []
        for (index, introduction) in zip(parameters.indices, introductions) {
            members.append(try member(introduction, as: .receiver(index)))
        }
        return members
    }

    private static func member(
        _ introduction: [UInt8], as role: Sharing.Role
    ) throws(ThresholdError) -> Sharing.Member<Suite.Group> {
        do { return try Sharing.Member(introduction: introduction, to: Suite.self) } catch {
            throw .sharing(.invalidIntroduction(of: role))
        }
    }

    /// Joins the two roles of participants that deal and receive. A participant that dealt twice would have two
    /// indices, and so two shares of the key; the same holds for one that received twice.
    private static func parties(
        _ dealers: [ParticipantIndex], _ dealing: [Sharing.Member<Suite.Group>],
        _ receiving: [Sharing.Member<Suite.Group>]
    ) throws(ThresholdError) -> ([Sharing.Party], [Sharing.Member<Suite.Group>]) {
        func receiver(_ position: Int) -> ParticipantIndex { ParticipantIndex(unchecked: position + 1) }
        for (number, member) in receiving.enumerated() {
            if let first = receiving[..<number].firstIndex(where: { $0.hostKey == member.hostKey }) {
                throw .sharing(.duplicateHostKey(of: .receiver(receiver(first)), and: .receiver(receiver(number))))
            }
        }
        for (number, member) in dealing.enumerated() {
            if let first = dealing[..<number].firstIndex(where: { $0.hostKey == member.hostKey }) {
                throw .sharing(.duplicateHostKey(of: .dealer(dealers[first]), and: .dealer(dealers[number])))
            }
        }

        var parties: [Sharing.Party] = []
        for (position, (index, member)) in zip(dealers, dealing).enumerated() {
            let own = receiving.firstIndex { $0.hostKey == member.hostKey }
            if let own, receiving[own] != member {
                throw .sharing(.duplicateHostKey(of: .dealer(index), and: .receiver(receiver(own))))
            }
            parties.append(Sharing.Party(number: position + 1, dealer: index, receiver: own.map(receiver)))
        }
        var members = dealing
        for (position, member) in receiving.enumerated() where !dealing.contains(member) {
            members.append(member)
            parties.append(Sharing.Party(number: members.count, dealer: nil, receiver: receiver(position)))
        }
        return (parties, members)
    }
}
