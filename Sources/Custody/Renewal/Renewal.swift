public import Threshold

/// What a person wants done to the shares of a wallet. Its keys, and so its addresses, stay the same.
public enum Renewal: Equatable, Sendable {
    /// New shares in the same places.
    case refresh
    /// New shares in the same places, of which some were lost: their participants get a share without having had one.
    ///
    /// - Parameter to: the folders of their new shares, one for each and in that order; none, if they go where the lost ones were.
    case repair(lost: [ShareLocation], to: [String])
    /// Another number of shares, or of shares that sign.
    ///
    /// - Parameters:
    ///   - backup: the folder of the backup share, and of those with higher even numbers; where it was, if none is named.
    ///   - recovery: the folder of the recovery share, and of those with higher odd numbers; likewise.
    case reshare(ThresholdParameters, backup: String?, recovery: String?)

    /// Places of which nothing is expected any more.
    var lost: [ShareLocation] {
        if case .repair(let lost, _) = self { lost } else { [] }
    }

    /// The folders that the person named.
    public var folders: [String] {
        switch self {
        case .refresh: []
        case .repair(_, let folders): folders
        case .reshare(_, let backup, let recovery): [backup, recovery].compactMap(\.self)
        }
    }

    /// How many shares there will be, and how many of them will sign.
    func parameters(after present: ThresholdParameters) -> ThresholdParameters {
        if case .reshare(let parameters, _, _) = self { parameters } else { present }
    }
}
