public import Bitcoin
public import Custody
public import Nodes
public import Wallet

/// What happens on the way of a payment, for whoever watches it. Nothing depends on its being heard.
public enum PaymentEvent: Equatable, Sendable {
    // MARK: Planning

    /// The node is asked for the wallet's coins.
    case askingForCoins
    /// The node lists more coins than are looked at.
    case coinsNotListed(UnlistedCoins)
    /// Addresses near the last one that is looked at were used.
    case lastAddressesUsed
    /// So many coins stay, because spending them would cost more than they are worth.
    case dustStays(Int)
    /// These coins stay, because the transactions that made them are too large to be shown to a signer with the others.
    case largeOriginsStay([OutPoint])
    /// So many coins become one.
    case consolidating(Int)
    /// The payment waits in the book already: it is the one that is signed.
    case takesHeldPayment
    /// The payment was made before, and is not made a second time.
    case madeBefore(hasKey: Bool)

    // MARK: Signing

    /// A share is opened.
    case openingShare(ShareLocation)
    /// Attempts with this share come to nothing again and again, or its counts are away (nil).
    case shareWearsOut(ShareLocation, SigningCounts?)
    /// The participants of these shares sign.
    case signing([ShareLocation])

    // MARK: Delivery

    /// The transaction is handed to the node.
    case handingOver(id: String, Chain)
    /// It is sent, and the book could not be told.
    case sentUnnoted(PaymentError)
    /// It is mined, and the book could not be told.
    case minedUnnoted(PaymentError)
    /// The book could not be told that the caller has heard the result.
    case acknowledgementUnnoted(PaymentError)
    /// The transaction is waited for.
    case waiting(id: String, Chain)
    /// The wait goes on.
    case stillWaiting(seconds: Int)
    /// The node did not answer for a while.
    case nodeAnswersAgain
    /// The node failed, and is asked again.
    case askingAgain(NodeError, Chain)
    /// Another transaction of the wallet has taken its place, and is waited for.
    case following(id: String)
    /// Another one, which pays the same, was mined in its place.
    case minedInstead(id: String, of: String)

    // MARK: Earlier transactions of an account on Ethereum

    /// Of which it was not known: in a block.
    case foundMined(id: String, height: UInt64)
    /// In a block, where it failed.
    case foundReverted(id: String, height: UInt64)
    /// Of which it was not known: at the node.
    case foundWaiting(id: String)
    /// A node refused it, and it is at the node.
    case foundRefused(id: String)
    /// The node does not have it any more: it is handed over once more.
    case handingOverForgotten(id: String)
    /// It may not have been sent: it is handed over once more.
    case handingOverUnsettled(UnsentTransaction)
    /// Signed before, never sent, and sent first by the caller's word.
    case handingOverUnsent(UnsentTransaction)
    /// It was signed before, and is handed over now.
    case handedOverEarlier(id: String)
    /// Handing it over once more failed.
    case notHandedOver(NodeError)
    /// The node refused it.
    case notTaken(NodeError.Refusal)
    /// The number was that of a transaction that a node refused: one of both can be mined.
    case takesNumberOfRefused(UInt64, id: String)
    /// What waited in the book has this number, and is mined behind another one.
    case heldNumberIsBehind(UInt64, next: UInt64)
    /// The number of what waited in the book is taken: it begins anew.
    case heldNumberIsTaken(UInt64)

    // MARK: History

    /// The node is asked what became of what was sent.
    case refreshing(Chain)
}

/// Hears what happens. It is called in the order of events, and must not block.
public typealias PaymentListener = @Sendable (PaymentEvent) -> Void

/// A transaction of Ethereum that was signed before, and that nobody can say was sent.
public struct UnsentTransaction: Equatable, Sendable {
    /// Its hash, in hexadecimal behind `0x`.
    public let id: String
    /// Its number among the account's transactions.
    public let nonce: UInt64
    /// What it does.
    public let intent: Intent
    /// The wallet's contacts that it pays.
    public let contacts: [Contact]
}
