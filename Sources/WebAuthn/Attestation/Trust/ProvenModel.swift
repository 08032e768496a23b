internal import X509

extension Attestation {
    /// Whether trust in the one who signed is trust in the model, so that it is not only the client's word.
    ///
    /// - Parameter entries: what metadata have, in which the certificates were found to have their anchor.
    func provesModel(by entries: [MetadataEntry]) -> Bool {
        guard case .certified(let certificates) = kind else { return false }
        // The metadata say whose certificates are for this model. U2F is found there by its key, and could say that it is
        // any model: its signature does not have it.
        if entries.contains(where: { $0.aaguid == aaguid && !$0.anchors.isEmpty }) { return true }
        switch format {
        // The authenticator itself signs its data.
        case .packed: return true
        // What a TPM attests is a hash of the software's making. The certificate has to name the model; that it is this
        // one, the procedure has seen to.
        case .tpm: return certificates.first?.extensions[oid: AAGUIDExtension.identifier] != nil
        // A hash of the software's making as well, or nothing at all.
        case .none, .androidKey, .apple, .fidoU2F, .unknown: return false
        }
    }
}
