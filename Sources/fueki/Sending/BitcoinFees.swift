internal import Amounts
internal import Bitcoin
internal import Nodes
internal import Wallet

extension FeeRateSuggestion {
    /// What the node says for this hurry.
    func rate(_ hurry: FeeOptions.Hurry) -> FeeRate {
        switch hurry {
        case .low: low
        case .normal: normal
        case .high: high
        }
    }
}

extension Amount {
    /// An amount of bitcoin that a person gave.
    ///
    /// - Parameter option: where it stands on the command line.
    init(_ satoshis: UInt256, of option: String) throws(Failure) {
        guard let value = satoshis.uint64, let amount = try? Amount(satoshis: value) else {
            throw .usage("\(option) is more than there are bitcoin")
        }
        self = amount
    }
}
