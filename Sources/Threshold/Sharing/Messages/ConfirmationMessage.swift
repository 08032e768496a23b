extension Sharing {
    /// A party's last message: its signature of the transcript and, if it has a share, a proof that it knows it.
    package struct Confirmation<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        package var signature: [UInt8]
        package var proof: [UInt8]?

        package init(signature: [UInt8], proof: [UInt8]?) {
            self.signature = signature
            self.proof = proof
        }

        func write(to writer: inout MessageWriter<Suite.Group>) {
            writer.bytes(signature)
            if let proof { writer.bytes(proof) }
        }

        init(from party: Party, reading reader: inout MessageReader<Suite.Group>) throws(ThresholdError) {
            signature = try reader.bytes(Suite.signatureSize)
            proof = party.receiver == nil ? nil : try reader.bytes(Suite.signatureSize)
        }

        package func encoded(from party: Party, in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.confirmation, in: session, from: party)
            write(to: &writer)
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``, or ``ThresholdError/sharing(_:)`` with ``Fault/wrongSession`` or
        ///   ``Fault/wrongSender``.
        package init(
            decoding bytes: [UInt8], from party: Party, in session: Session<Suite>
        ) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .confirmation, in: session, from: party)
            try self.init(from: party, reading: &reader)
            try reader.finish()
        }
    }
}
