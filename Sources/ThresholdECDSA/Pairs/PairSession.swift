internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA.PairSetup {
    /// The session of two participants, with their roles.
    struct PairSession: Sendable {
        /// sid
        let session: [UInt8]
        /// A
        let sender: ParticipantIndex
        /// B
        let receiver: ParticipantIndex

        var transfer: ECDSA.BaseTransfer {
            ECDSA.BaseTransfer(session: session, sender: sender, receiver: receiver)
        }

        /// Returns the trees of the participant that knows all of their leaves.
        ///
        /// - Parameters:
        ///   - grower: that participant: A or B.
        ///   - shape: the shape of the extensions that use the trees.
        func trees(of grower: ParticipantIndex, for shape: ECDSA.ExtensionShape) -> ECDSA.GGMTrees {
            ECDSA.GGMTrees(
                rows: shape.rows, session: session, sender: grower, receiver: grower == sender ? receiver : sender)
        }

        /// The session of the extension after the first trees.
        var widening: [UInt8] { ECDSA.TaggedHash.hash("widening", session) }
        /// The session of the extension after the second trees.
        var reverse: [UInt8] { ECDSA.TaggedHash.hash("reverse", session) }

        /// Returns the envelope of the message of a step.
        ///
        /// - Parameter previous: the names of the earlier sealed messages: see ``name(of:)``.
        func message(_ step: SetupMessage.Step, after previous: [[UInt8]]) -> SetupMessage {
            let (from, to) = step.isOfBaseSender ? (sender, receiver) : (receiver, sender)
            return SetupMessage(step: step, session: session, sender: from, recipient: to, previous: previous)
        }

        /// Returns the name of a sealed message in later hashes: each message is long, and is in four of them.
        static func name(of message: [UInt8]) -> [UInt8] { ECDSA.TaggedHash.hash("set-up message", message) }

        /// Returns the digest that both confirm.
        ///
        /// - Parameter names: the names of the four sealed messages.
        func digest(_ names: [[UInt8]]) -> [UInt8] {
            var hasher = ECDSA.TaggedHash.hasher("pair transcript")
            hasher.update(part: session)
            hasher.update(part: [UInt8(sender.value)])
            hasher.update(part: [UInt8(receiver.value)])
            for name in names { hasher.update(part: name) }
            return hasher.finalize()
        }
    }

    /// Runs checks of an opened message, and blames the peer for an error: only the peer can have sealed it.
    static func blaming<Result: ~Copyable>(
        _ peer: ParticipantIndex, _ body: () throws(ThresholdError) -> Result
    ) throws(ThresholdError) -> Result {
        do { return try body() } catch { throw .cheating(by: peer) }
    }

    /// Returns the seed that both know before they begin: H("pair seed"; sid, lo₁, hi₁, D).
    static func seed(
        of index: ParticipantIndex, and peer: ParticipantIndex, in session: Session,
        hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>
    ) -> SecretBytes {
        var hasher = ECDSA.TaggedHash.hasher("pair seed")
        hasher.update(part: session.hash)
        hasher.update(part: [UInt8(min(index, peer).value)])
        hasher.update(part: [UInt8(max(index, peer).value)])
        do {
            hasher.update(part: try hostKey.secret.sharedSecret(with: session.hostKey(of: peer)))
        } catch { preconditionFailure("a host key that was checked is nothing: \(error)") }
        return hasher.finalizeSecret()
    }
}
