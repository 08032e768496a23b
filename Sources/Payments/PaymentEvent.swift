public import Bitcoin
public import Nodes
public import Wallet
public import WalletBooks

/// An event of a payment, for a listener. Payments do not depend on listeners.
public enum PaymentEvent: Equatable, Sendable {
    // MARK: Planning

    /// The node is asked for the wallet's coins.
    case askingForCoins
    /// The node lists more coins than are read.
    case coinsNotListed(UnlistedCoins)
    /// Addresses near the end of the search were used.
    case lastAddressesUsed
    /// This number of coins stays, because spending them would cost more than their value.
    case dustStays(Int)
    /// These coins stay, because a signer cannot be shown their large transactions together with the others.
    case largeOriginsStay([OutPoint])
    /// This number of coins is joined into one.
    case consolidating(Int)
    /// The payment is already a proposal in the book: that one is signed.
    case takesHeldPayment
    /// The payment was made before, and is not made again.
    case madeBefore(hasKey: Bool)

    // MARK: Delivery

    /// The transaction is sent to the node.
    case handingOver(id: String, Chain)
    /// It is sent, and the book could not record it.
    case sentUnnoted(PaymentError)
    /// It is mined, and the book could not record it.
    case minedUnnoted(PaymentError)
    /// The wait for the transaction begins.
    case waiting(id: String, Chain)
    /// The wait continues.
    case stillWaiting(seconds: Int)
    /// The node did not answer for a while.
    case nodeAnswersAgain
    /// The node failed, and is asked again.
    case askingAgain(NodeError, Chain)
    /// Another transaction of the wallet has replaced it, and is waited for.
    case following(id: String)
    /// Another transaction with the same payment was mined in its place.
    case minedInstead(id: String, of: String)

    // MARK: Earlier transactions of an account on Ethereum

    /// A transaction with unknown outcome is in a block.
    case foundMined(id: String, height: UInt64)
    /// It is in a block, where it failed.
    case foundReverted(id: String, height: UInt64)
    /// A transaction with unknown outcome is at the node.
    case foundWaiting(id: String)
    /// A node refused it, and it is at the node nevertheless.
    case foundRefused(id: String)
    /// The node no longer has it: it is sent again.
    case handingOverForgotten(id: String)
    /// It may not have been sent: it is sent again.
    case handingOverUnsettled(UnsentTransaction)
    /// It was signed before and never sent, and is sent first with the caller's consent.
    case handingOverUnsent(UnsentTransaction)
    /// It was signed before, and is sent now.
    case handedOverEarlier(id: String)
    /// Sending it again failed.
    case notHandedOver(NodeError)
    /// The node refused it.
    case notTaken(NodeError.Refusal)
    /// The nonce belonged to a transaction that a node refused: only one of both can be mined.
    case takesNumberOfRefused(UInt64, id: String)
    /// The proposal in the book has this nonce, and is mined after another transaction.
    case heldNumberIsBehind(UInt64, next: UInt64)
    /// The nonce of the proposal in the book is taken: the payment is planned again.
    case heldNumberIsTaken(UInt64)

    // MARK: History

    /// The node is asked for the states of sent transactions.
    case refreshing(Chain)
}

/// A listener for events. It is called in the order of events, and must not block.
public typealias PaymentListener = @Sendable (PaymentEvent) -> Void

/// An earlier signed Ethereum transaction that may not have been sent.
public struct UnsentTransaction: Equatable, Sendable {
    /// The hash, in hexadecimal after `0x`.
    public let id: String
    /// The nonce of the account.
    public let nonce: UInt64
    /// The decoded intent.
    public let intent: Intent
    /// The wallet's contacts that it pays.
    public let contacts: [Contact]
}
