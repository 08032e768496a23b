internal import Curves
internal import Secrets

extension ECDSA.PairSetup {
    /// Two participants, in their roles.
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

        /// The trees of which A knows all leaves, or those of which B does.
        ///
        /// - Parameter shape: of the extensions that are made with them.
        func trees(of grower: ParticipantIndex, for shape: ECDSA.ExtensionShape) -> ECDSA.GGMTrees {
            ECDSA.GGMTrees(
                rows: shape.rows, session: session, sender: grower, receiver: grower == sender ? receiver : sender)
        }

        /// The session of the extension after the first trees.
        var widening: [UInt8] { ECDSA.Oracle.hash("widening", session) }
        /// The session of the extension after the second trees.
        var reverse: [UInt8] { ECDSA.Oracle.hash("reverse", session) }

        /// - Parameter previous: the sealed messages before this one, each as ``name(of:)`` it.
        func message(_ step: SetupMessage.Step, after previous: [[UInt8]]) -> SetupMessage {
            let (from, to) = step.isOfBaseSender ? (sender, receiver) : (receiver, sender)
            return SetupMessage(step: step, session: session, sender: from, recipient: to, previous: previous)
        }

        /// What stands for a sealed message in later hashes: each message is long, and in four of them.
        static func name(of message: [UInt8]) -> [UInt8] { ECDSA.Oracle.hash("set-up message", message) }

        /// What both confirm to have seen.
        ///
        /// - Parameter names: of the four sealed messages.
        func digest(_ names: [[UInt8]]) -> [UInt8] {
            var hasher = ECDSA.Oracle.hasher("pair transcript")
            hasher.update(part: session)
            hasher.update(part: [UInt8(sender.value)])
            hasher.update(part: [UInt8(receiver.value)])
            for name in names { hasher.update(part: name) }
            return hasher.finalize()
        }
    }

    /// Runs what judges an opened message. Nobody but the peer can have sealed it: whatever is wrong with it, the peer did.
    static func blaming<Result: ~Copyable>(
        _ peer: ParticipantIndex, _ body: () throws(ThresholdError) -> Result
    ) throws(ThresholdError) -> Result {
        do { return try body() } catch { throw .cheating(by: peer) }
    }

    /// What the two of a pair know before they begin: H("pair seed"; sid, lo₁, hi₁, D).
    static func seed(
        of index: ParticipantIndex, and peer: ParticipantIndex, in session: Session,
        hostKey: borrowing DKG.HostKey<DKG.ECDSA>
    ) -> SecretBytes {
        var hasher = ECDSA.Oracle.hasher("pair seed")
        hasher.update(part: session.hash)
        hasher.update(part: [UInt8(min(index, peer).value)])
        hasher.update(part: [UInt8(max(index, peer).value)])
        do {
            hasher.update(part: try hostKey.secret.sharedSecret(with: session.hostKey(of: peer)))
        } catch { preconditionFailure("a host key that was checked is nothing: \(error)") }
        return hasher.finalizeSecret()
    }
}
