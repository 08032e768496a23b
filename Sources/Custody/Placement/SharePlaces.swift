/// Where the shares of a new wallet go.
public struct SharePlaces: Equatable, Sendable {
    /// The folder of the backup share, and of every share after the third. Made if it is missing, with those above it.
    public let backup: String
    /// The folder of the recovery share; `nil` puts it into the wallets' home, from where it should be moved.
    public let recovery: String?

    public init(backup: String, recovery: String?) {
        self.backup = absolutePath(backup)
        self.recovery = recovery.map(absolutePath)
    }

    /// The folder of a share.
    func folder(of location: ShareLocation, of wallet: WalletName, in home: WalletHome) -> String {
        switch location {
        case .device: home.folder(of: wallet)
        case .backup, .further: backup
        case .recovery: recovery ?? "\(home.path)/recovery"
        }
    }

    /// The file of a share. Outside the home its name says what it is to somebody who finds it.
    func path(of location: ShareLocation, of wallet: WalletName, in home: WalletHome) -> String {
        let folder = folder(of: location, of: wallet, in: home)
        return location == .device ? "\(folder)/device.vault" : "\(folder)/fueki-\(wallet)-\(location.name).vault"
    }
}
