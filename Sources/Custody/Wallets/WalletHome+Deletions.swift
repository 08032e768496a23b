internal import Files
internal import Foundation

extension WalletHome {
    private static let deletedMark = ".deleted"

    /// Returns the name of the folder of a wallet during its removal. No wallet can have this name, as it begins with a
    /// point.
    package static func deletedName(of name: WalletName) -> String { ".\(name)\(deletedMark)" }

    /// Removes the rest of interrupted deletions, and the settings of their wallets. The list of wallets leaves such
    /// wallets out.
    ///
    /// If the name has been given to a new wallet since, its settings stay.
    ///
    /// - Parameter report: gets the wallets whose settings could not be removed, each with the reason. The rest of the
    ///   wallet is removed anyway: it contains a share.
    /// - Returns: the names of the wallets whose deletion was finished, and their labels, as far as these still existed.
    /// - Throws: ``CustodyError/file(_:)``.
    @discardableResult
    public func finishDeletions(
        _ report: (WalletName, SettingsFault) -> Void = { _, _ in }
    ) throws(CustodyError) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/wallets")) ?? []
        let remains = entries.filter { $0.hasPrefix(".") && $0.hasSuffix(Self.deletedMark) }.sorted()
        let names = remains.map { String($0.dropFirst().dropLast(Self.deletedMark.count)) }
        let labels = remains.compactMap { storedLabel(in: "\(path)/wallets/\($0)")?.label.description }
        for (folder, text) in zip(remains, names) {
            // The settings first: after an interruption the folder still says that they have to go.
            if let name = try? WalletName(text), !FolderCreation.isOccupied(self.folder(of: name)) {
                do throws(SettingsFault) { try Settings.forget(name, in: self) } catch { report(name, error) }
            }
            do throws(FileError) { try FolderCreation.removeTree("\(path)/wallets/\(folder)") } catch {
                throw .file(error)
            }
        }
        return names + labels.filter { !names.contains($0) }
    }
}
