/// The places of a new wallet's shares.
public struct SharePlaces: Equatable, Sendable {
    /// The folder of the backup share and of further shares with even numbers. Missing folders are made, parents
    /// included.
    public let backup: String
    /// The folder of the recovery share and of further shares with odd numbers, so that no folder has more than half of
    /// the shares outside this machine; nil for the wallets' home, from where they should be moved.
    public let recovery: String?

    /// Creates the places. Paths may be relative to the current folder.
    public init(backup: String, recovery: String?) {
        self.backup = absolutePath(backup)
        self.recovery = recovery.map(absolutePath)
    }

    /// Returns the folder of a share.
    func folder(of location: ShareLocation, of wallet: WalletName, in home: WalletHome) -> String {
        switch location {
        case .device: home.folder(of: wallet)
        case .backup: backup
        case .recovery: recovery ?? "\(home.path)/recovery"
        case .further(let index): self.folder(of: index.isMultiple(of: 2) ? .backup : .recovery, of: wallet, in: home)
        }
    }

    /// Returns the file of a share of a new wallet.
    func path(of location: ShareLocation, of wallet: WalletName, in home: WalletHome) -> String {
        let folder = folder(of: location, of: wallet, in: home)
        return "\(folder)/\(Self.file(of: location, of: wallet, epoch: 0, isInHome: folder == home.folder(of: wallet)))"
    }

    /// Returns the name of a share file. Outside the wallet's own folder, it says what the file is. It also
    /// contains the epoch, so that files of different epochs can be in one folder.
    static func file(of location: ShareLocation, of wallet: WalletName, epoch: Int, isInHome: Bool) -> String {
        let stem = stem(of: location, of: wallet, isInHome: isInHome)
        return epoch == 0 ? "\(stem).vault" : "\(stem)\(epochMark)\(epoch).vault"
    }

    /// Returns the epoch in the name of a share file, after at least one renewal; nil for a file of another share.
    package static func epoch(ofFile name: String, at location: ShareLocation, of wallet: WalletName, isInHome: Bool)
        -> Int?
    {
        let stem = stem(of: location, of: wallet, isInHome: isInHome) + epochMark
        guard name.hasPrefix(stem), name.hasSuffix(".vault") else { return nil }
        return Int(name.dropFirst(stem.count).dropLast(".vault".count)).flatMap { $0 > 0 ? $0 : nil }
    }

    private static let epochMark = "-epoch-"

    private static func stem(of location: ShareLocation, of wallet: WalletName, isInHome: Bool) -> String {
        isInHome && location == .device ? location.name : "fueki-\(wallet)-\(location.name)"
    }
}
