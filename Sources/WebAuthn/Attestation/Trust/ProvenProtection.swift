extension AttestationPolicy {
    /// Says where the key of an attestation lies, as far as it is proven.
    ///
    /// Nothing is proven by a statement without an anchor. What a statement with one says of its key counts, and so does the
    /// model's entry in the FIDO metadata, if its own certificates are the anchors. Where the two disagree, the worse counts:
    /// software in the metadata, or a statement that describes its key and does not prove hardware.
    ///
    /// - Parameters:
    ///   - trust: what ``decision(on:at:signed:)`` found.
    ///   - time: now, in milliseconds since 1970 UTC.
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
        // A key that attests for Android may be in anybody's hands; the list is how one learns of it.
        if attestation.format == .androidKey, stated.isHardware, revocations == nil {
            return KeyProtection(place: .unknown, evidence: .androidKey)
        }
        return stated
    }

    /// What the entries of the model say, all of which have to agree; nil if there are none that count.
    private func protectionInMetadata(of attestation: Attestation, at time: Int64) -> KeyProtection? {
        // An entry without certificates leaves it to the operator whom to trust: that one need not be the model's vendor.
        let entries = (metadata?.blob.entries(for: attestation) ?? []).filter { !$0.anchors.isEmpty }
        let places = Set(entries.map { $0.keyPlace(at: time) })
        guard let place = places.first else { return nil }
        guard places.count == 1 else {
            // A key of U2F attests for several models: it may be any of them.
            return places.contains(.software) ? KeyProtection(place: .software, evidence: .metadata) : .unknown
        }
        return place == .unknown ? .unknown : KeyProtection(place: place, evidence: .metadata)
    }
}

extension MetadataEntry {
    /// Where authenticators of this model keep keys (FIDO Registry of Predefined Values, section 3.2).
    ///
    /// Hardware counts only while a certification of FIDO's holds: else the statement is the vendor's word alone. It does not
    /// count where the key signs other things than FIDO's assertions as well (`isKeyRestricted`).
    func keyPlace(at time: Int64) -> KeyProtection.Place {
        if keyProtection.contains("software") { return .software }
        guard certification(at: time) != nil, isKeyRestricted else { return .unknown }
        if keyProtection.contains("secure_element") { return .secureElement }
        if keyProtection.contains("tee") { return .tee }
        if keyProtection.contains("hardware") { return .hardware }
        return keyProtection.contains("remote_handle") ? .remoteHandle : .unknown
    }
}
