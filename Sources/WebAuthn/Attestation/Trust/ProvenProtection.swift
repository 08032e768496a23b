extension AttestationPolicy {
    /// Returns where the key of an attestation is kept, as far as it is proven.
    ///
    /// A statement without an anchor proves nothing. With an anchor, the statement's description of its key counts, and
    /// so does the model's entry in the FIDO metadata, if its own certificates are the anchors. If the two disagree,
    /// the weaker one counts: software in the metadata, or a statement that describes its key and does not prove
    /// hardware.
    ///
    /// - Parameters:
    ///   - trust: the trust that ``decision(on:at:signed:)`` found.
    ///   - time: the present time, in milliseconds since 1970 UTC.
    public func keyProtection(
        of attestation: Attestation, trusted trust: AttestationTrust, at time: Int64
    ) -> KeyProtection {
        guard case .anchored = trust else { return .unknown }
        let stated = protectionStated(by: attestation)
        guard let known = protectionInMetadata(of: attestation, at: time) else { return stated }
        if known.place == .software { return known }
        return stated.evidence == .none ? known : stated
    }

    private func protectionStated(by attestation: Attestation) -> KeyProtection {
        let stated = attestation.stated.protection
        // An Android attestation key may have been stolen; only the list reveals that.
        if attestation.format == .androidKey, stated.isHardware, revocations == nil {
            return KeyProtection(place: .unknown, evidence: .androidKey)
        }
        return stated
    }

    /// Returns the protection that the model's entries state, if all agree; nil if no entry counts.
    private func protectionInMetadata(of attestation: Attestation, at time: Int64) -> KeyProtection? {
        // An entry without certificates leaves the choice of anchors to the operator: such an anchor need not be the
        // model's vendor.
        let entries = (metadata?.blob.entries(for: attestation) ?? []).filter { !$0.anchors.isEmpty }
        let places = Set(entries.map { $0.keyPlace(at: time) })
        guard let place = places.first else { return nil }
        guard places.count == 1 else {
            // A U2F key attests for several models, and this may be any of them.
            return places.contains(.software) ? KeyProtection(place: .software, evidence: .metadata) : .unknown
        }
        return place == .unknown ? .unknown : KeyProtection(place: place, evidence: .metadata)
    }
}

extension MetadataEntry {
    /// Returns where authenticators of this model keep keys (FIDO Registry of Predefined Values, section 3.2).
    ///
    /// Hardware counts only while a FIDO certification is valid: otherwise the entry is the vendor's claim alone. It
    /// does not count if the key also signs other data than FIDO's assertions (`isKeyRestricted`).
    func keyPlace(at time: Int64) -> KeyProtection.Place {
        if keyProtection.contains("software") { return .software }
        guard certification(at: time) != nil, isKeyRestricted else { return .unknown }
        if keyProtection.contains("secure_element") { return .secureElement }
        if keyProtection.contains("tee") { return .tee }
        if keyProtection.contains("hardware") { return .hardware }
        return keyProtection.contains("remote_handle") ? .remoteHandle : .unknown
    }
}
