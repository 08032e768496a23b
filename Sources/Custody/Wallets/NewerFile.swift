internal import Foundation

extension WalletRecord {
    /// Finds a file beside the share files whose name says that it is one of them after a renewal that this description
    /// does not contain: another machine renewed the wallet, or a renewal on this machine left it behind.
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
