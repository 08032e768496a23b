/// The reason why lost shares cannot be repaired into these folders.
public enum RepairFault: Error, Equatable, Sendable {
    /// The wallet has no share with this name.
    case noSuchShare(String)
    /// The number of folders is not that of the lost shares.
    case folders(Int, lost: Int)
    /// A folder has an empty name.
    case unnamedFolder
}

extension Renewal {
    /// Creates a repair from the names of the lost shares.
    ///
    /// - Parameters:
    ///   - names: the names of the lost shares; a repeated name counts once.
    ///   - folders: a folder for each lost share, in the same order, or none.
    /// - Throws: ``RepairFault``.
    public init(repairing names: [String], to folders: [String]) throws(RepairFault) {
        var lost: [ShareLocation] = []
        for name in names {
            guard let location = ShareLocation(name) else { throw .noSuchShare(name) }
            if !lost.contains(location) { lost.append(location) }
        }
        guard folders.isEmpty || folders.count == names.count && names.count == lost.count else {
            throw .folders(folders.count, lost: lost.count)
        }
        guard !folders.contains(where: \.isEmpty) else { throw .unnamedFolder }
        self = .repair(lost: lost, to: folders)
    }
}
