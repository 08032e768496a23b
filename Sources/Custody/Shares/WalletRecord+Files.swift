internal import SecureStorage

extension WalletRecord {
    /// Sees that there is a file in the place of each of these shares, without opening any.
    ///
    /// - Throws: ``ShareFault/missing(path:)`` for the first that has none, ``CustodyError/noSuchShare(name:)``.
    public func requireFiles(of locations: [ShareLocation]) throws(CustodyError) {
        for location in locations {
            let place = try share(at: location)
            guard FolderCreation.isOccupied(place.path) else { throw .share(location, .missing(path: place.path)) }
        }
    }
}
