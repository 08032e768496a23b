internal import Foundation

extension WalletRecord {
    /// A file beside those of the shares that, by its name, is one of them after a renewal which this description does not know
    /// of: another machine that has the wallet renewed it, or a renewal here left it behind.
    public func newerFile(in home: WalletHome) -> (path: String, epoch: Int)? {
        for share in shares {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: share.folder)) ?? []
            for file in names.sorted() {
                let found = SharePlaces.epoch(
                    ofFile: file, at: share.location, of: name, isInHome: share.folder == home.folder(of: name))
                if let found, found > epoch { return ("\(share.folder)/\(file)", found) }
            }
        }
        return nil
    }
}
