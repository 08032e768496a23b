internal import X509

extension Attestation {
    /// Returns whether trust in the signer proves the model, so that it is not only the client's claim.
    ///
    /// - Parameter entries: the metadata entries in which the certificates have their anchor.
    func provesModel(by entries: [MetadataEntry]) -> Bool {
        guard case .certified(let certificates) = kind else { return false }
        // The metadata say which certificates are for this model. A U2F entry is found by its key, and could claim any
        // model: its signature does not cover the model.
        if entries.contains(where: { $0.aaguid == aaguid && !$0.anchors.isEmpty }) { return true }
        switch format {
        // The authenticator itself signs its data.
        case .packed: return true
        // A TPM attests a hash that software made. The certificate must name the model; the procedure has checked that
        // it is this one.
        case .tpm: return certificates.first?.extensions[oid: AAGUIDExtension.identifier] != nil
        // Also a hash that software made, or no statement at all.
        case .none, .androidKey, .apple, .fidoU2F, .unknown: return false
        }
    }
}
