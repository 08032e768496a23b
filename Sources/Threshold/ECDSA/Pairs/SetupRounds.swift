package import Curves
public import Secrets

extension ECDSA.PairSetup {
    /// A participant after its first messages, which go to those towards whom it is the base receiver.
    ///
    /// Each round's state is used up by the messages that it answers. What fails is over: no state can be had back.
    public struct Round1: ~Copyable, Sendable {
        /// By recipient.
        public var messages: [ParticipantIndex: [UInt8]] { receiving.mapValues(\.message) }

        private let state: Participant
        private let receiving: [ParticipantIndex: ReceivingSide]

        /// - Throws: ``ThresholdError/wrongGroup`` if the share is of another key, ``ThresholdError/pairSetup(_:)`` with
        ///   ``Fault/foreignHostKey``, ``ThresholdError/exhausted(_:)`` if too many sessions are open.
        package init(
            _ session: Session, share: consuming KeyShare<Secp256k1>, hostKey: borrowing DKG.HostKey<DKG.ECDSA>,
            random: some RandomSource
        ) throws(ThresholdError) {
            let index = share.index
            guard share.group == session.group else { throw .wrongGroup }
            guard session.hostKey(of: index) == hostKey.publicKey else { throw .pairSetup(.foreignHostKey) }
            let peers = session.peers(of: index)
            let admission = try admit(peers.count * Participant.memoryOfPeer + admittedScalar, as: .session)
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

        /// Answers the first messages of those towards whom it is the base sender.
        ///
        /// - Parameter messages: by sender.
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``; of a message,
        ///   ``ThresholdError/malformed(_:)``, ``ThresholdError/disagreement(with:)``, ``ThresholdError/unauthentic(from:)`` or
        ///   ``ThresholdError/cheating(by:)``.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], random: some RandomSource
        ) throws(ThresholdError) -> Round2 {
            let index = state.share.index
            var sending: [ParticipantIndex: SendingSide] = [:]
            for (peer, message) in try messages.ordered(from: state.seeds.keys.sorted()) {
                guard let seed = state.seeds[peer] else { throw .unknownParticipant(peer) }
                let random = SetupRandom(
                    fresh: SecretBytes(count: 32, from: random), share: state.share.secret, seed: seed.bytes, of: index,
                    answering: PairSession.name(of: message))
                sending[peer] = try SendingSide(
                    PairSession(session: state.session.hash, sender: index, receiver: peer), answering: message,
                    seed: seed.bytes.clone(), random: random)
            }
            return Round2(state: state, receiving: receiving, sending: sending)
        }
    }

    /// A participant after it has answered those towards whom it is the base sender.
    public struct Round2: ~Copyable, Sendable {
        /// By recipient.
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

        /// Checks the answers to its first messages, and answers them.
        ///
        /// - Parameter messages: by sender.
        /// - Throws: as ``Round1/receive(_:random:)``.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], random: some RandomSource
        ) throws(ThresholdError) -> Round3 {
            var grown: [ParticipantIndex: GrownReceivingSide] = [:]
            for (peer, message) in try messages.ordered(from: receiving.keys.sorted()) {
                guard let side = receiving[peer] else { throw .unknownParticipant(peer) }
                let random = side.randomness(
                    fresh: SecretBytes(count: 32, from: random), share: state.share.secret, answering: message)
                grown[peer] = try side.receive(message, random: random)
            }
            return Round3(state: state, receiving: grown, sending: sending)
        }
    }

    /// A participant after its second messages to those towards whom it is the base receiver.
    public struct Round3: ~Copyable, Sendable {
        /// By recipient.
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

        /// Checks the second messages of those towards whom it is the base sender, and answers them.
        ///
        /// - Parameter messages: by sender.
        /// - Throws: as ``Round1/receive(_:random:)``.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], random: some RandomSource
        ) throws(ThresholdError) -> Round4 {
            var finished: [ParticipantIndex: FinishedPair] = [:]
            for (peer, message) in try messages.ordered(from: sending.keys.sorted()) {
                finished[peer] = try sending[peer]?.receive(message, random: random)
            }
            return Round4(state: state, receiving: receiving, finished: finished)
        }
    }

    /// A participant after its last messages to those towards whom it is the base sender.
    public struct Round4: ~Copyable, Sendable {
        /// By recipient.
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

        /// Checks the last messages, and signs what it has seen with all others.
        ///
        /// - Parameter messages: by sender.
        /// - Throws: as ``Round1/receive(_:random:)``, or ``ThresholdError/pairSetup(_:)`` with ``Fault/foreignHostKey``.
        public consuming func receive(
            _ messages: [ParticipantIndex: [UInt8]], hostKey: borrowing DKG.HostKey<DKG.ECDSA>,
            random: some RandomSource
        ) throws(ThresholdError) -> Pending {
            let index = state.share.index
            guard state.session.hostKey(of: index) == hostKey.publicKey else { throw .pairSetup(.foreignHostKey) }
            var finished = finished
            for (peer, message) in try messages.ordered(from: receiving.keys.sorted()) {
                finished[peer] = try receiving[peer]?.finish(message)
            }
            let confirmation = try Confirmation(
                signing: finished.sorted { $0.key < $1.key }.map(\.value.digest), as: index, in: state.session,
                hostKey: hostKey, random: random)
            return Pending(
                session: state.session, share: state.share, pairs: finished.values.map(\.pair),
                confirmation: confirmation, admission: state.admission)
        }
    }

    /// What all rounds of a participant need.
    struct Participant: ~Copyable, Sendable {
        let session: Session
        let share: KeyShare<Secp256k1>
        /// Of those towards whom it is the base sender.
        let seeds: [ParticipantIndex: PairSeed]
        let admission: SecretMemory.Admission

        /// What the set-up holds of each peer, while it waits: the pair, the roots once more, and pads of 32 bytes.
        static let memoryOfPeer =
            ECDSA.Pair.encodedSize + ECDSA.ExtensionShape.reversing.trees * ECDSA.TreeRoots.treeSize
            + ECDSA.ExtensionShape.reversing.transfers * ECDSA.seedSize
    }

    /// The seed of a pair, before the pair is there.
    final class PairSeed: Sendable {
        let bytes: SecretBytes

        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }
}
