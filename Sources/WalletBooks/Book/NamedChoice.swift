public import Ceremonies
public import Custody
public import Wallet

/// The items whose identifiers begin with a text that a person typed. A program must not choose one of several.
public enum NamedChoice<Item: Sendable>: Sendable {
    /// Nothing begins like this, or the text is not a ``ShortID``.
    case none
    /// Exactly one item begins like this.
    case one(Item)
    /// Several items begin like this.
    case several([Item])

    init(_ found: [Item]) {
        self =
            switch found.count {
            case 0: .none
            case 1: .one(found[0])
            default: .several(found)
            }
    }
}

extension NamedChoice: Equatable where Item: Equatable {}

extension [PendingProposal] {
    /// Returns the proposals whose digest begins like this.
    ///
    /// - Parameter beginning: the digits of a ``ShortID``.
    public func choice(_ beginning: String) -> NamedChoice<PendingProposal> {
        NamedChoice(ShortID(beginning).map(named) ?? [])
    }
}

extension ShortID {
    /// Reads the beginning of a transaction's identifier on this chain. On Bitcoin it never begins with `0x`; on
    /// Ethereum all 64 digits do, because without `0x` they are an identifier of Bitcoin.
    public init?(_ text: String, on chain: ChainName) {
        guard let id = ShortID(text) else { return nil }
        let hasPrefix = text.hasPrefix("0x")
        guard chain == .bitcoin ? !hasPrefix : hasPrefix || !id.isWhole else { return nil }
        self = id
    }

    /// Returns the identifier of the transaction that these digits name.
    ///
    /// All digits of an identifier need no entry of the history: a transaction may have been signed elsewhere.
    ///
    /// - Parameter history: the history of the wallet's book.
    public func transaction(in history: [HistoryEntry], on chain: Chain) -> NamedChoice<NamedTransaction> {
        let found = history.filter { $0.chain == chain }.named(self).compactMap { entry in
            entry.id.map { NamedTransaction(id: $0, entry: entry) }
        }
        guard found.isEmpty, isWhole else { return NamedChoice(found) }
        let id = if case .ethereum = chain { "0x\(digits)" } else { digits }
        return .one(NamedTransaction(id: id, entry: nil))
    }
}

/// A transaction that a person named.
public struct NamedTransaction: Equatable, Sendable {
    /// Its identifier, or its hash with `0x`.
    public let id: String
    /// Its entry in the history; nil if the wallet did not sign it here.
    public let entry: HistoryEntry?
}

extension WalletBook {
    /// Judges a proposal as it stands now, without an approval.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: as ``policyContext(for:digest:in:)``.
    public func judged(
        _ proposal: PendingProposal, of wallet: WalletRecord, now: UInt64
    ) throws(CustodyError) -> ProposedPayload {
        let context = try policyContext(
            for: proposal.payload, digest: proposal.digest, in: SigningContext(now: now))
        return ProposedPayload(try wallet.work(of: proposal.payload), from: wallet, under: try policy(), in: context)
    }
}
