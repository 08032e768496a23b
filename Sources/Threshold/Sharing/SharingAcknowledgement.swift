public import Secrets

/// The last round: each receiver acknowledges that its new share and the recovery data are stored. Only when all have
/// done so may old shares be deleted, and a new key be used.
extension Sharing.RecoveryData {
    /// Acknowledges that this receiver has stored its share and the recovery data.
    ///
    /// - Throws: ``ThresholdError/sharing(_:)`` with ``Sharing/Fault/foreignHostKey`` or ``Sharing/Fault/wrongRole``.
    public func acknowledgement(
        hostKey: borrowing Sharing.HostKey<Suite>, random: some RandomSource
    ) throws(ThresholdError) -> [UInt8] {
        guard let party = session.party(of: hostKey.publicKey) else { throw .sharing(.foreignHostKey) }
        guard party.receiver != nil else { throw .sharing(.wrongRole) }
        var writer = MessageWriter(.sharingAcknowledgement, in: session, from: party)
        do {
            writer.bytes(
                try Suite.sign(
                    transcript.message("sharing stored", from: party), hostKey: hostKey.secret,
                    auxiliary: SecretBytes(count: 32, from: random)))
        } catch { throw .invalidElement }
        return writer.bytes
    }

    /// Verifies the acknowledgements of all receivers. Each receiver may do this for itself.
    ///
    /// - Throws: ``ThresholdError/sharing(_:)`` with ``Sharing/Fault/missing(_:)``, ``Sharing/Fault/unknown(_:)`` or
    ///   ``Sharing/Fault/faulty(_:)``. The new shares are good in any case, but keep the old ones, too.
    public func verify(acknowledgements: [Sharing.Party: [UInt8]]) throws(ThresholdError) {
        let session = session
        let receivers = session.parties.filter { $0.receiver != nil }
        let signatures = try session.decode(acknowledgements, from: receivers[...]) {
            bytes, party throws(ThresholdError) in
            var reader = try MessageReader(bytes, .sharingAcknowledgement, in: session, from: party)
            let signature = try reader.bytes(Suite.signatureSize)
            try reader.finish()
            return signature
        }
        let culprits = zip(receivers, signatures).filter { party, signature in
            !transcript.isSigned(by: party, "sharing stored", signature)
        }.map(\.0)
        guard culprits.isEmpty else { throw .sharing(.faulty(culprits)) }
    }
}
