public import Custody
public import HDKeys
public import Nodes

/// An address of a wallet that a person wants to see.
public enum AddressRequest: Equatable, Sendable {
    /// The next Bitcoin address of this kind that this machine has not shown.
    case next(WalletAddress.Kind)
    /// The Bitcoin address of this kind with this index, to receive or for change.
    case indexed(WalletAddress.Kind, AddressPath.Chain, UInt32)
    /// The Ethereum account with this number.
    case account(UInt32)
}

/// An address that was shown, with the facts that its owner should know before giving it to a payer.
public struct RequestedAddress: Sendable {
    /// The address.
    public let address: WalletAddress
    /// Whether this machine had shown it before; nil for an Ethereum account, whose address
    /// stays the same.
    public internal(set) var wasShown: Bool?
    /// Whether it was paid before, as the node reports; nil if no node was asked.
    public internal(set) var wasUsed: Bool?
    /// Whether it is behind all addresses that any command searches by default.
    public internal(set) var isFar = false
    /// The index of an address that other machines do not search by default; nil if they do.
    public internal(set) var onlySearchedHere: UInt32?
    /// Whether the next address was wanted, and every one was shown before.
    public internal(set) var isRepeated = false
    /// The reason why this machine cannot remember that it has shown the address; nil if it can.
    public internal(set) var unremembered: CustodyError?
    /// Whether the words that the wallet was imported from do not restore the address: their owner would not find its
    /// coins with other software.
    public let isLostToWords: Bool
}

extension WalletHome {
    /// Returns an address of a wallet. From now on a Bitcoin address counts as shown.
    ///
    /// - Parameter chain: a Bitcoin node; it tells whether the address was paid before.
    /// - Throws: ``PaymentError/address(_:)``, ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public func show(
        _ request: AddressRequest, of wallet: WalletRecord, asking chain: (any BitcoinChain)?
    ) async throws(PaymentError) -> RequestedAddress {
        func found(
            _ kind: WalletAddress.Kind, _ branch: AddressPath.Chain, _ index: UInt32
        ) throws(PaymentError) -> RequestedAddress {
            RequestedAddress(
                address: try attempt { () throws(CustodyError) in
                    try wallet.address(kind, at: branch, index: index)
                }, isLostToWords: wallet.imported.map { !$0.restores(kind) } ?? false)
        }
        switch request {
        case .account(let number): return try found(.ethereum, .receive, number)
        case .next(let kind):
            guard let next = try await takeNewAddress(kind, of: wallet, asking: chain) else {
                throw .address(.allShown)
            }
            var shown = try found(kind, .receive, next.index)
            (shown.wasShown, shown.isRepeated, shown.wasUsed) = (next.wasShown, next.wasShown, chain.map { _ in false })
            if chain != nil, !next.wasShown, ReceivingAddresses.isFar(next.index) {
                shown.onlySearchedHere = next.index
            }
            return shown
        case .indexed(let kind, let branch, let index):
            var shown = try found(kind, branch, index)
            shown.isFar = index >= ShownAddresses.bound
            if let chain, let script = shown.address.scriptPubKey {
                shown.wasUsed = try await attempt { () async throws(NodeError) in
                    try await !chain.paid(among: [script]).isEmpty
                }
            }
            let row = ShownAddresses.Row(kind, branch)
            do throws(CustodyError) {
                shown.wasShown = try await noteShown(index, in: row, of: wallet).contains(index, in: row)
            } catch {
                shown.wasShown = shownAddresses(of: wallet).contains(index, in: row)
                shown.unremembered = error
            }
            return shown
        }
    }
}
