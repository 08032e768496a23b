internal import SecureStorage

extension KeychainRecords {
    /// Returns the readable records of the namespace.
    private func all() throws(SecureStorageError) -> [KeychainRecord] {
        try proveReadable()
        return try listing(of: nil).compactMap { finding in
            namespace.service(of: finding.key.service).flatMap { try? record(finding, of: $0) }
        }
    }

    /// Returns the records of one earlier installation.
    fileprivate func earlier(_ id: InstallationID) throws(SecureStorageError) -> [KeychainRecord] {
        guard !(try installation().owns(id)) else { return [] }
        return try all().filter { $0.header.installation == id }
    }

    /// Returns the items of earlier installations.
    func earlierInstallations() throws(SecureStorageError) -> [EarlierInstallation] {
        let installation = try installation()
        let earlier = try all().filter { !installation.owns($0.header.installation) }
        return Dictionary(grouping: earlier, by: \.header.installation)
            .map { id, records in EarlierInstallation(id: id, names: Set(records.map(\.place.name)).sorted()) }
            .sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
    }

    /// Adopts the items of an earlier installation. The keychain is not changed.
    func adopt(_ id: InstallationID) throws(SecureStorageError) {
        let installation = try installation()
        let names = Set(try earlier(id).map(\.place.name))
        // Two values of one name from two installations have no order: the older one could win.
        let isTaken = try all().contains { names.contains($0.place.name) && installation.owns($0.header.installation) }
        guard !isTaken else { throw .alreadyExists }
        try marker.replace(try installation.adopting(id))
    }
}

extension KeychainSaving {
    /// Removes the records of an earlier installation.
    func remove(_ id: InstallationID) throws(SecureStorageError) {
        let earlier = try records.earlier(id)
        for record in earlier.filter({ $0.place.role == .witness }) + earlier.filter({ $0.place.role == .value }) {
            try delete(record)
        }
    }
}
