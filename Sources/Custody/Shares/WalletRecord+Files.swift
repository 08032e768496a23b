internal import Files

extension WalletRecord {
    /// Whether a share file on this machine shows that the wallet has signed. Only signatures with ECDSA leave such a
    /// trace.
    public var hasSigned: Bool {
        shares.contains { FolderCreation.isOccupied(SigningCountsFile.path(of: $0)) }
    }

    /// Checks that a file exists for each of these shares, without opening any.
    ///
    /// - Throws: ``ShareFault/missing(path:place:)`` for the first missing file, ``CustodyError/noSuchShare(name:)``.
    public func requireFiles(of locations: [ShareLocation]) throws(CustodyError) {
        for location in locations {
            let place = try share(at: location)
            guard FolderCreation.isOccupied(place.path) else {
                throw .share(location, .missing(path: place.path, place: MissingPlace(of: place.path)))
            }
        }
    }
}
