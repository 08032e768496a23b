public import ExchangeCredentials
public import Files
public import PinnedHTTP
public import Time

/// An error of this module. It contains no key, no signature, and no text of a server.
public enum ExchangeError: Error, Equatable, Sendable {
    /// An input is not valid.
    case invalid(InputField, InputFault)
    /// The pins cannot be used: there is only one, or one is repeated, or they are too many.
    case pins(HostPins.Fault)
    /// The rules allow no connection to the server. Nothing was sent.
    case connection(ConnectionFault)
    /// The key cannot be read, used or changed.
    case credential(CredentialError)
    /// A file of this module could not be read or written. Nothing was sent.
    case state(StateFault)
    /// Another process uses the key for longer than a request takes, or replaces it by another key. Nothing was sent.
    case busy
    /// The exchange asked for a pause that is not over. Nothing was sent.
    case mustWait(Wait)
    /// The request failed on its way.
    case transport(HTTPFailure)
    /// The exchange refused the request.
    case refused(Refusal)
    /// The answer does not have the documented form, or the exchange reported an internal error.
    case unclear(Doubt)
    /// The exchange's and this machine's clocks differ by more than the window, also after the difference was measured.
    case clock
    /// The order could not be prepared in time, or this machine slept or its clock was set meanwhile. Nothing was sent.
    case late
    /// An order with this id was made before, with other terms.
    case idTaken
    /// The journal has no order of this id.
    case unknownOrder
    /// The journal has an order with the same terms, of this id: another process has not told its outcome, or placed it
    /// after this order was given. Nothing was sent.
    case sameOrder(ClientOrderID)
    /// The exchange has placed an order that was only to be tested: its ids for the order, and then the client's. Cancel it.
    case testPlaced(ids: [String])
}

/// The reasons why a file of this module cannot be used.
public enum StateFault: Equatable, Sendable {
    /// The journal is full of orders whose outcome is unknown. Reconcile them first.
    case journalFull
    /// The file is damaged. It is never treated as empty, since it may name an order at the exchange.
    case damaged(StateFile)
    /// The system refused to read or write.
    case storage(FileError)
    /// No higher nonce exists. Create a new key at the exchange.
    case noncesUsedUp
    /// The journal is missing, or older than the one that this machine has written: it may lack orders that were sent.
    /// Bring the newest copy back. If it is lost, compare with the exchange's page of orders, and call
    /// ``ExchangeClient/acceptOlderJournal()``.
    case olderJournal(found: UInt64, expected: UInt64)
}

/// The files of this module.
public enum StateFile: Equatable, Sendable {
    /// The journal of orders.
    case journal
    /// The highest nonce.
    case nonce
    /// The pause that an exchange asked for.
    case wait
    /// The last generation of a journal that this machine has written.
    case seen
}

/// A pause that an exchange asked for.
public struct Wait: Equatable, Sendable {
    /// The reasons.
    public enum Reason: UInt8, Equatable, Sendable {
        /// Too many requests.
        case rateLimit = 1
        /// The IP address is banned because requests continued after the rate limit.
        case ban = 2
        /// A firewall refused the request.
        case firewall = 3
        /// The exchange has locked the key or the address after invalid requests.
        case lockout = 4
        /// Kraken's counter of calls, on which cancellings are not counted.
        case callCounter = 5
    }

    /// The reason.
    public let reason: Reason
    /// The end, by this machine's clock.
    public let until: Timestamp
}

/// The reasons why the effect of a request is unknown.
public enum Doubt: Equatable, Sendable {
    /// The request failed on its way, after bytes of it had left.
    case transport(HTTPFailure.Reason)
    /// A status of the server's faults, from 500 on, or one that this API does not document.
    case status(Int)
    /// The answer is not the documented JSON.
    case answer
    /// The exchange says itself that the outcome is unknown: -1006, -1007, or an internal error.
    case exchange
    /// The exchange knows an order under this id already: see what it is.
    case duplicate
    /// The order under this id has other terms than the journal's.
    case otherTerms
    /// The exchange did not answer the query for the order.
    case notAnswered
    /// The exchange does not know the order, but may still accept it or not show it yet.
    case tooEarly
}
