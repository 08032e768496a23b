public import Threshold

/// A change to the shares of a wallet. The wallet's keys and addresses stay the same.
public enum Renewal: Equatable, Sendable {
    /// New shares in the same places.
    case refresh
    /// New shares in the same places, although some shares were lost: their participants get new shares without old
    /// ones.
    ///
    /// - Parameter to: the folders of the new shares that replace lost ones, in the same order; empty to use the
    ///   folders of the lost ones.
    case repair(lost: [ShareLocation], to: [String])
    /// New shares with another threshold or number of shares.
    ///
    /// - Parameters:
    ///   - backup: the folder of the backup share, and of further ones with even numbers; nil for the present folder.
    ///   - recovery: the folder of the recovery share, and of further ones with odd numbers; nil for the present
    ///     folder.
    case reshare(ThresholdParameters, backup: String?, recovery: String?)

    /// The places whose shares were lost.
    var lost: [ShareLocation] {
        if case .repair(let lost, _) = self { lost } else { [] }
    }

    /// The folders that the user named.
    public var folders: [String] {
        switch self {
        case .refresh: []
        case .repair(_, let folders): folders
        case .reshare(_, let backup, let recovery): [backup, recovery].compactMap(\.self)
        }
    }

    /// Returns the threshold and number of shares after the renewal.
    func parameters(after present: ThresholdParameters) -> ThresholdParameters {
        if case .reshare(let parameters, _, _) = self { parameters } else { present }
    }
}
