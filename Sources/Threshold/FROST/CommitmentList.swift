package import Curves
internal import Encoding

extension FROST {
    /// The commitments of one session's signers: at least one, ascending by index, none twice.
    package struct CommitmentList<Group: Curve>: Equatable, Sendable {
        package let commitments: [Commitment<Group>]

        /// Sorts the commitments.
        ///
        /// - Throws: ``ThresholdError/duplicateParticipant(_:)``.
        package init(_ commitments: [Commitment<Group>]) throws(ThresholdError) {
            let sorted = commitments.sorted { $0.index < $1.index }
            for (one, next) in zip(sorted, sorted.dropFirst()) where one.index == next.index {
                throw .duplicateParticipant(one.index)
            }
            self.commitments = sorted
        }

        /// The session's signers, ascending.
        package var signers: [ParticipantIndex] { commitments.map(\.index) }

        package func commitment(of index: ParticipantIndex) -> Commitment<Group>? {
            commitments.first { $0.index == index }
        }

        /// Checks that the signer takes part, with its own commitment.
        ///
        /// A coordinator that could replace a commitment would have the signer answer for nonces that it never made.
        ///
        /// - Throws: ``ThresholdError/unknownParticipant(_:)``, ``ThresholdError/ownCommitmentMismatch``.
        func check(holds own: Commitment<Group>) throws(ThresholdError) {
            guard let listed = commitment(of: own.index) else { throw .unknownParticipant(own.index) }
            guard listed == own else { throw .ownCommitmentMismatch }
        }

        func write(to writer: inout MessageWriter<Group>) {
            writer.count(commitments.count)
            for commitment in commitments { commitment.write(to: &writer) }
        }

        /// - Parameter own: the reader's own commitment, whose points are compared as bytes and not decoded: a point
        ///   costs a square root.
        /// - Throws: also ``ThresholdError/malformed(_:)`` if the commitments are not in ascending order, so that each
        ///   list has one encoding; and with `own` as ``check(holds:)``.
        init(
            from reader: inout MessageReader<Group>, own: Commitment<Group>?
        ) throws(ThresholdError) {
            var commitments: [Commitment<Group>] = []
            for _ in 0..<(try reader.count(1...ThresholdLimits.participants)) {
                let next = try Commitment(from: &reader, own: own)
                if let last = commitments.last {
                    guard last.index != next.index else { throw .duplicateParticipant(next.index) }
                    guard last.index < next.index else { throw .malformed(.notCanonical) }
                }
                commitments.append(next)
            }
            self.commitments = commitments
            if let own { try check(holds: own) }
        }
    }
}
