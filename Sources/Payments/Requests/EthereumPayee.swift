internal import Amounts
internal import Custody
public import Ethereum
internal import Nodes
internal import SigningSession
public import Wallet
internal import WalletBooks

/// The payee of an Ethereum payment as the user names it, read before the wallet's book is opened.
public struct EthereumPayee: Sendable {
    private let payee: NamedPayee
    fileprivate let recipient: NamedRecipient<EthereumAddress>
    fileprivate let finding: PaymentFinding?
    /// The amount of the chain's coin; nil for a token.
    private let coins: UInt256?

    /// Reads the payee.
    ///
    /// - Parameter isToken: whether the amount is that of a token, which needs no unit.
    /// - Throws: ``PayeeFault``.
    public init(_ payee: NamedPayee, on chain: ChainID, isToken: Bool) throws(PayeeFault) {
        guard payee.amount != NamedPayee.all else { throw .allOnEthereum }
        self.payee = payee
        (recipient, finding) = try NamedRecipient<EthereumAddress>.read(payee.name)
        do throws(AmountError) { coins = isToken ? nil : try chain.amount(payee.amount).value } catch {
            throw .badAmount(error, on: .ethereum(chain))
        }
    }

    /// Returns the amount of a token: a number in its usual unit. The symbol may follow it if the list of known tokens
    /// has the token.
    private func amount(of token: EthereumToken) throws(PayeeFault) -> UInt256 {
        if let smallest = payee.smallest { return smallest }
        let text = payee.amount
        let symbol = token.unit.source == .list ? token.symbol?.description ?? "" : ""
        let isNamed = !symbol.isEmpty && text.lowercased().hasSuffix(symbol.lowercased())
        let number = isNamed ? String(text.dropLast(symbol.count)) : text
        guard let amount = try? DecimalText.read(number, token.decimals) else {
            throw .badTokenAmount(symbol: symbol, token.decimals)
        }
        return amount
    }

    fileprivate func order(of token: EthereumToken?, to address: EthereumAddress) throws(PayeeFault) -> EthereumOrder {
        guard let token else { return EthereumOrder(paying: coins ?? .zero, to: address) }
        return EthereumOrder(paying: try amount(of: token), of: token, to: address)
    }
}

extension EthereumPayments {
    /// Returns the order for a payee that the user named.
    ///
    /// It also returns the findings about the payee's address, for
    /// ``plan(_:key:fee:overriding:isFurther:mayResend:findings:)``: none for a payee that the wallet has chosen
    /// before, because the address was compared then.
    ///
    /// - Parameter token: the token; nil for the chain's coin. The wallet's policy may know its number of decimals.
    /// - Throws: ``PaymentError/payee(_:)``, ``PaymentError/token(_:)``, ``PaymentError/custody(_:)``.
    public func order(
        paying payee: EthereumPayee, of token: EthereumToken?
    ) async throws(PaymentError) -> (order: EthereumOrder, findings: [PaymentFinding]) {
        try await flow.step { () async throws(PaymentError) in
            let contacts = await flow.book.contacts()
            let address = try attempt { () throws(PayeeFault) in try payee.recipient.address(among: contacts) }
            let policy = try await attempt { [flow] () async throws(CustodyError) in try await flow.book.policy() }
            var token = token
            try token?.check(by: policy, on: node.chain)
            let checked = token
            let order = try attempt { () throws(PayeeFault) in try payee.order(of: checked, to: address) }
            let isChosen = await flow.book.chosen.contains(.ethereum(address))
            return (order, isChosen ? [] : [payee.finding].compactMap(\.self))
        }
    }
}
