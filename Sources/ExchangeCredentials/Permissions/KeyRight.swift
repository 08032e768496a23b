/// A right of an API key.
public enum KeyRight: Hashable, Sendable {
    /// Reading balances, orders and trades.
    case read
    /// Placing and cancelling orders on the spot market.
    case trade
    /// Withdrawing to an address outside of the exchange.
    case withdraw
    /// Transfers between accounts of the same user.
    case transfer
    /// Transfers between a main account and its sub-accounts.
    case internalTransfer
    /// Trading with borrowed money.
    case margin
    /// Trading futures.
    case futures
    /// Trading options.
    case options
    /// Trading in a portfolio margin account.
    case portfolioMargin
    /// Deposit addresses.
    case deposit
    /// Earning: staking and lending.
    case earn
    /// The export of data.
    case export
    /// Trading over FIX.
    case fixTrading
    /// Reading over FIX.
    case fixReading
    /// A right that this version does not know, by the exchange's name for it: 1 to 64 letters, digits, hyphens, points
    /// and underscores.
    case unknown(String)

    private static let named: [(right: KeyRight, name: String)] = [
        (.read, "read"), (.trade, "trade"), (.withdraw, "withdraw"), (.transfer, "transfer"),
        (.internalTransfer, "internal-transfer"), (.margin, "margin"), (.futures, "futures"), (.options, "options"),
        (.portfolioMargin, "portfolio-margin"), (.deposit, "deposit"), (.earn, "earn"), (.export, "export"),
        (.fixTrading, "fix-trading"), (.fixReading, "fix-reading"),
    ]
    private static let unknownPrefix = "?"

    /// Whether a key with the right can do more than read. A right that this version does not know counts.
    package var acts: Bool { self != .read && self != .export && self != .fixReading }

    /// The stable name of the right: `read`, `internal-transfer`; for a right that this version does not know, a question
    /// mark and the exchange's name.
    public var name: String {
        if case .unknown(let name) = self { return Self.unknownPrefix + name }
        return Self.named.first { $0.right == self }?.name ?? Self.unknownPrefix
    }

    /// Reads a name as ``name`` has it.
    init?(name: String) {
        if name.hasPrefix(Self.unknownPrefix) {
            guard let right = KeyRight(unknown: String(name.dropFirst())) else { return nil }
            self = right
        } else {
            guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
            self = known.right
        }
    }

    /// A right by an exchange's name; nil if the name has other characters than a name has, or is too long for a
    /// record.
    package init?(unknown name: String) {
        guard (1..<CredentialLimits.rightNameCharacters).contains(name.utf8.count),
            name.unicodeScalars.allSatisfy({
                InputCheck.isAlphanumeric($0) || $0 == "-" || $0 == "." || $0 == "_"
            })
        else { return nil }
        self = .unknown(name)
    }
}
