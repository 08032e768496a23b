extension Sharing {
    /// The commitments of all dealers, 32 bytes each.
    package struct CommitmentList<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        package var commitments: [[UInt8]]

        package init(commitments: [[UInt8]]) { self.commitments = commitments }

        package func encoded(in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.dealerCommitments, in: session)
            for commitment in commitments { writer.bytes(commitment) }
            return writer.bytes
        }

        package init(decoding bytes: [UInt8], in session: Session<Suite>) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .dealerCommitments, in: session)
            commitments = try reader.list(session.dealers.count) { reader throws(ThresholdError) in
                try reader.bytes(32)
            }
            try reader.finish()
        }
    }

    /// The openings of all dealers, each as it was sent, so that an unreadable one identifies its dealer.
    package struct OpeningList<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        package var openings: [[UInt8]]

        package init(openings: [[UInt8]]) { self.openings = openings }

        package func encoded(in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.openings, in: session)
            for opening in openings { writer.prefixedBytes(opening) }
            return writer.bytes
        }

        package init(decoding bytes: [UInt8], in session: Session<Suite>) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .openings, in: session)
            openings = try reader.openings(of: session.dealers.count)
            try reader.finish()
        }
    }

    /// The certificate: the confirmations of all parties.
    package struct ConfirmationList<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        package var confirmations: [Confirmation<Suite>]

        package init(confirmations: [Confirmation<Suite>]) { self.confirmations = confirmations }

        package func encoded(in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.sharingCertificate, in: session)
            for confirmation in confirmations { confirmation.write(to: &writer) }
            return writer.bytes
        }

        package init(decoding bytes: [UInt8], in session: Session<Suite>) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .sharingCertificate, in: session)
            confirmations = []
            for party in session.parties { confirmations.append(try Confirmation(from: party, reading: &reader)) }
            try reader.finish()
        }
    }
}

extension MessageReader {
    mutating func openings(of count: Int) throws(ThresholdError) -> [[UInt8]] {
        try list(count) { reader throws(ThresholdError) in
            try reader.prefixedBytes(limit: ThresholdLimits.encodedMessageSize)
        }
    }
}
