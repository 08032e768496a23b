package import Curves
public import Secrets
public import Threshold

extension ECDSA.PairSetup {
    /// A participant after its first messages, which go to the peers towards which it is the base receiver.
    ///
    /// Answering messages consumes the state of a round. After a failure the state cannot be restored.
    public struct Round1: ~Copyable, Sendable {
        /// The messages by recipient.
        public var messages: [ParticipantIndex: [UInt8]] { receiving.mapValues(\.message) }

        private let state: Participant
        private let receiving: [ParticipantIndex: ReceivingSide]

        /// - Throws: `ThresholdError.wrongGroup` if the share is of another key, `ThresholdError.pairSetup(_:)` with
        ///   `PairSetupFault.foreignHostKey`, `ThresholdError.exhausted(_:)` if too many sessions are open.
        package init(
            _ session: Session, share: consuming KeyShare<Secp256k1>, hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>,
            random: some RandomSource
        ) throws(ThresholdError) {
            let index = share.index
            guard share.group == session.group else { throw .wrongGroup }
            guard session.hostKey(of: index) == hostKey.publicKey else { throw .pairSetup(.foreignHostKey) }
            let peers = session.peers(of: index)
            let admission = try admit(peers.count * Participant.memoryOfPeer + AdmittedSize.scalar, as: .session)
            var receiving: [ParticipantIndex: ReceivingSide] = [:]
            var seeds: [ParticipantIndex: PairSeed] = [:]
            for peer in peers {
                let seed = seed(of: index, and: peer, in: session, hostKey: hostKey)
                if session.isBaseSender(index, towards: peer) {
                    seeds[peer] = PairSeed(seed)
                } else {
                    let random = SetupRandom(
                        fresh: SecretBytes(count: 32, from: random), share: share.secret, seed: seed, of: index,
                        answering: [])
                    receiving[peer] = ReceivingSide(
                        PairSession(session: session.hash, sender: peer, receiver: index), seed: seed, random: random)
                }
            }
            self.receiving = receiving
            state = Participant(session: session, share: share, seeds: seeds, admission: admission)
        }

        /// Opens the first messages of the peers towards which it is the base sender, without changing the state: a
        /// stray message does not end the pairing. Their contents are not checked.
        ///
        /// - Parameter messages: the messages by sender.
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`; for a
        ///   message, `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)` or
        ///   `ThresholdError.unauthentic(from:)`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received<Self> {
            try Received(messages, of: state.seeds, in: state.session) { peer, seed, message throws(ThresholdError) in
                try pair(with: peer).message(.first, after: []).open(message, seed: seed.bytes)
            }
        }

        private func pair(with peer: ParticipantIndex) -> PairSession {
            PairSession(session: state.session.hash, sender: state.share.index, receiver: peer)
        }

        /// Reads the messages and continues with round 2, in one call: any wrong message ends the pairing.
        ///
        /// - Throws: as ``read(_:)`` and `receive(_:random:)`.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], random: some RandomSource
        ) throws(ThresholdError) -> Round2 {
            let received = try read(messages)
            return try receive(received, random: random)
        }

        /// Answers the first messages of the peers towards which it is the base sender.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`.
        public consuming func receive(_ received: Received<Self>, random: some RandomSource) throws(ThresholdError)
            -> Round2
        {
            precondition(received.session == state.session.hash, "messages that another set-up has read")
            var sending: [ParticipantIndex: SendingSide] = [:]
            for (peer, opened) in received.messages {
                guard let seed = state.seeds[peer] else { throw .unknownParticipant(peer) }
                let random = SetupRandom(
                    fresh: SecretBytes(count: 32, from: random), share: state.share.secret, seed: seed.bytes,
                    of: state.share.index, answering: PairSession.name(of: opened.bytes))
                sending[peer] = try SendingSide(
                    pair(with: peer), answering: opened, seed: seed.bytes.clone(), random: random)
            }
            return Round2(state: state, receiving: receiving, sending: sending)
        }
    }

    /// A participant after it has answered the peers towards which it is the base sender.
    public struct Round2: ~Copyable, Sendable {
        /// The messages by recipient.
        public var messages: [ParticipantIndex: [UInt8]] { sending.mapValues(\.message) }

        private let state: Participant
        private let receiving: [ParticipantIndex: ReceivingSide]
        private let sending: [ParticipantIndex: SendingSide]

        init(
            state: consuming Participant, receiving: [ParticipantIndex: ReceivingSide],
            sending: [ParticipantIndex: SendingSide]
        ) {
            self.state = state
            self.receiving = receiving
            self.sending = sending
        }

        /// Opens the answers to its first messages, without changing the state: a stray message does not end the
        /// pairing. Their contents are not checked.
        ///
        /// - Parameter messages: the messages by sender.
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`; for a
        ///   message, `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)` or
        ///   `ThresholdError.unauthentic(from:)`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received<Self> {
            try Received(messages, of: receiving, in: state.session) { _, side, message throws(ThresholdError) in
                try side.open(message)
            }
        }

        /// Reads the messages and continues with round 3, in one call: any wrong message ends the pairing.
        ///
        /// - Throws: as ``read(_:)`` and `receive(_:random:)`.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], random: some RandomSource
        ) throws(ThresholdError) -> Round3 {
            let received = try read(messages)
            return try receive(received, random: random)
        }

        /// Checks the answers to its first messages, and answers them.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`.
        public consuming func receive(_ received: Received<Self>, random: some RandomSource) throws(ThresholdError)
            -> Round3
        {
            precondition(received.session == state.session.hash, "messages that another set-up has read")
            var grown: [ParticipantIndex: GrownReceivingSide] = [:]
            for (peer, opened) in received.messages {
                guard let side = receiving[peer] else { throw .unknownParticipant(peer) }
                let random = side.randomness(
                    fresh: SecretBytes(count: 32, from: random), share: state.share.secret, answering: opened.bytes)
                grown[peer] = try side.receive(opened, random: random)
            }
            return Round3(state: state, receiving: grown, sending: sending)
        }
    }

    /// A participant after its second messages to the peers towards which it is the base receiver.
    public struct Round3: ~Copyable, Sendable {
        /// The messages by recipient.
        public var messages: [ParticipantIndex: [UInt8]] { receiving.mapValues(\.message) }

        private let state: Participant
        private let receiving: [ParticipantIndex: GrownReceivingSide]
        private let sending: [ParticipantIndex: SendingSide]

        init(
            state: consuming Participant, receiving: [ParticipantIndex: GrownReceivingSide],
            sending: [ParticipantIndex: SendingSide]
        ) {
            self.state = state
            self.receiving = receiving
            self.sending = sending
        }

        /// Opens the second messages of the peers towards which it is the base sender, without changing the state: a
        /// stray message does not end the pairing. Their contents are not checked.
        ///
        /// - Parameter messages: the messages by sender.
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`; for a
        ///   message, `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)` or
        ///   `ThresholdError.unauthentic(from:)`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received<Self> {
            try Received(messages, of: sending, in: state.session) { _, side, message throws(ThresholdError) in
                try side.open(message)
            }
        }

        /// Reads the messages and continues with round 4, in one call: any wrong message ends the pairing.
        ///
        /// - Throws: as ``read(_:)`` and `receive(_:random:)`.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], random: some RandomSource
        ) throws(ThresholdError) -> Round4 {
            let received = try read(messages)
            return try receive(received, random: random)
        }

        /// Checks the second messages of the peers towards which it is the base sender, and answers them.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`.
        public consuming func receive(_ received: Received<Self>, random: some RandomSource) throws(ThresholdError)
            -> Round4
        {
            precondition(received.session == state.session.hash, "messages that another set-up has read")
            var finished: [ParticipantIndex: FinishedPair] = [:]
            for (peer, opened) in received.messages {
                finished[peer] = try sending[peer]?.receive(opened, random: random)
            }
            return Round4(state: state, receiving: receiving, finished: finished)
        }
    }

    /// A participant after its last messages to the peers towards which it is the base sender.
    public struct Round4: ~Copyable, Sendable {
        /// The messages by recipient.
        public var messages: [ParticipantIndex: [UInt8]] { finished.compactMapValues(\.message) }

        private let state: Participant
        private let receiving: [ParticipantIndex: GrownReceivingSide]
        private let finished: [ParticipantIndex: FinishedPair]

        init(
            state: consuming Participant, receiving: [ParticipantIndex: GrownReceivingSide],
            finished: [ParticipantIndex: FinishedPair]
        ) {
            self.state = state
            self.receiving = receiving
            self.finished = finished
        }

        /// Opens the last messages, without changing the state: a stray message does not end the pairing. Their
        /// contents are not checked.
        ///
        /// - Parameter messages: the messages by sender.
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`; for a
        ///   message, `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)` or
        ///   `ThresholdError.unauthentic(from:)`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received<Self> {
            try Received(messages, of: receiving, in: state.session) { _, side, message throws(ThresholdError) in
                try side.open(message)
            }
        }

        /// Reads the messages and continues with the confirmation, in one call: any wrong message ends the pairing.
        ///
        /// - Throws: as ``read(_:)`` and `receive(_:hostKey:random:)`.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>,
            random: some RandomSource
        ) throws(ThresholdError) -> Pending {
            let received = try read(messages)
            return try receive(received, hostKey: hostKey, random: random)
        }

        /// Checks the last messages, and signs the digests of all pairs.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`, or `ThresholdError.pairSetup(_:)` with
        ///   `PairSetupFault.foreignHostKey`.
        public consuming func receive(
            _ received: Received<Self>, hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>, random: some RandomSource
        ) throws(ThresholdError) -> Pending {
            precondition(received.session == state.session.hash, "messages that another set-up has read")
            let index = state.share.index
            guard state.session.hostKey(of: index) == hostKey.publicKey else { throw .pairSetup(.foreignHostKey) }
            var finished = finished
            for (peer, opened) in received.messages { finished[peer] = try receiving[peer]?.finish(opened) }
            let confirmation = try Confirmation(
                signing: finished.sorted { $0.key < $1.key }.map(\.value.digest), as: index, in: state.session,
                hostKey: hostKey, random: random)
            return Pending(
                session: state.session, share: state.share, pairs: finished.values.map(\.pair),
                confirmation: confirmation, admission: state.admission)
        }
    }

    /// The opened messages that a round of a participant has read, for that round alone.
    public struct Received<Round: ~Copyable>: Sendable {
        fileprivate let session: [UInt8]
        fileprivate let messages: [(peer: ParticipantIndex, opened: OpenedMessage)]

        /// Opens one message of each of the peers.
        fileprivate init<Side>(
            _ messages: [ParticipantIndex: [UInt8]], of sides: [ParticipantIndex: Side], in session: Session,
            open: (ParticipantIndex, Side, [UInt8]) throws(ThresholdError) -> OpenedMessage
        ) throws(ThresholdError) {
            var opened: [(ParticipantIndex, OpenedMessage)] = []
            for (peer, message) in try messages.ordered(from: sides.keys.sorted()) {
                guard let side = sides[peer] else { throw .unknownParticipant(peer) }
                opened.append((peer, try open(peer, side, message)))
            }
            (self.session, self.messages) = (session.hash, opened)
        }
    }

    /// The state that all rounds of a participant share.
    struct Participant: ~Copyable, Sendable {
        let session: Session
        let share: KeyShare<Secp256k1>
        /// The seeds of the peers towards which it is the base sender.
        let seeds: [ParticipantIndex: PairSeed]
        let admission: SecretMemory.Admission

        /// The memory that the pairing needs for each peer while it waits: the pair, the roots again, and pads of
        /// 32 bytes.
        static let memoryOfPeer =
            ECDSA.Pair.encodedSize + ECDSA.ExtensionShape.reversing.trees * ECDSA.TreeRoots.treeSize
            + ECDSA.ExtensionShape.reversing.transfers * ECDSA.seedSize
    }

    /// The seed of a pair, before the pair exists.
    final class PairSeed: Sendable {
        let bytes: SecretBytes

        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }
}
