public import Amounts
public import Bitcoin
internal import Ceremonies
public import Custody
public import DisplayText
public import Ethereum
public import HDKeys
public import Nodes
public import SigningSession
public import Wallet

/// The error of a payment that was not planned, signed, delivered or followed, by its subject.
public indirect enum PaymentError: Error, Equatable, Sendable {
    /// A node does not answer, or gives an impossible answer.
    case node(NodeError)
    /// A share, the wallet's book, its policy, or a ceremony failed.
    case custody(CustodyError)
    /// No Bitcoin transaction can be planned.
    case plan(PlanRefusal)
    /// The account's Ethereum nonces do not allow it.
    case ledger(NonceLedger.Fault)
    /// An earlier order for the same payment prevents it.
    case duplicate(DuplicatePaymentFault)
    /// The transaction cannot be sped up or cancelled.
    case replacement(ReplacementFault)
    /// It is signed, and its delivery or confirmation failed.
    case delivery(DeliveryFault)
    /// The nonce that the caller names, or an earlier one, prevents it.
    case nonce(NonceFault)
    /// The token, or the account's balance of it, prevents it.
    case token(TokenFault)
    /// The gas of a transaction, or its price, prevents it.
    case gas(GasFault)
    /// A coin that the caller names cannot be spent.
    case coin(CoinFault)
    /// An address of the wallet, or of the order, prevents it.
    case address(AddressFault)
    /// The sweep of whole keys failed.
    case sweep(SweepFault)
    /// A text names no payee, or no amount.
    case payee(PayeeFault)
    /// The signing flow cannot take the step.
    case flow(FlowFault)
}

/// The reason why an order that was given before is not paid again.
public enum DuplicatePaymentFault: Equatable, Sendable {
    /// A rehearsal neither signs nor sends, and this transaction would be sent again.
    case rehearsal(id: String)
    /// An earlier transaction for the same payment may be on its way, with another digest than expected, or with a fee
    /// above the ceiling.
    case unexpected(id: String, digest: [UInt8], isAboveCeiling: Bool)
    /// The payment with this key was cancelled.
    case cancelled(PaymentKey, by: String)
    /// A cancellation of the payment was signed, and no block has it. The key is nil if the order has none; the
    /// transaction is nil if the program ended during signing.
    case cancellationUnclear(PaymentKey?, by: String?)
    /// The node shows none of the attempts at a payment with a key, and the book does not contain the reason.
    case attemptUnclear(id: String)
    /// The node does not report whether an earlier attempt may still be mined.
    case unclear(id: String)
    /// An earlier attempt may be mined until these transactions are, and an additional payment cannot be bound to them.
    case rivalsWait([String])
    /// The payment with this key was signed already.
    case signedBefore(PaymentKey, id: String)
    /// An earlier attempt may have been signed before its program ended, and the new one cannot spend any of its coins:
    /// both could be mined. Unfreeze one of these coins, or name it too; if a transaction has spent them all, it may be
    /// that attempt.
    case unfinished(spending: [OutPoint])
    /// An earlier attempt may have been signed with this nonce before its program ended, and the new one cannot have
    /// the nonce: both could be mined. Do not name another nonce; if a block has used it, it may be that attempt.
    case unfinishedNonce(UInt64)
}

/// The reason why an unconfirmed transaction is not replaced.
public enum ReplacementFault: Equatable, Sendable {
    /// It also spends coins of other people, or its coins are missing.
    case notOurs
    /// A block has it, so it stays.
    case mined(id: String, height: UInt64)
    /// Another transaction has replaced it.
    case replaced(id: String, by: String)
    /// The node does not know it, and it was not signed here.
    case unknown(id: String)
    /// It was made on another chain.
    case otherChain(id: String, Chain)
}

/// The fault after the signature.
public enum DeliveryFault: Equatable, Sendable {
    /// It is signed and not sent, or its state at the node is unknown. `isRefused`: the node does not have it.
    case notSent(id: String, Chain, NodeError, isRefused: Bool)
    /// The node has it, and another step failed. Ordering the payment again would pay twice.
    case lostSight(id: String, Reason)
    /// The node accepted it, and no longer shows it.
    case notShown(id: String)
    /// A block has it, where it failed: it cost its fee, and changed nothing else.
    case reverted(id: String, height: UInt64, fee: Wei?, ChainID?)
    /// A cancellation was mined in its place.
    case cancelled(id: String, by: String, height: UInt64)
    /// It was a cancellation, and the payment was mined.
    case cancellationTooLate(id: String, by: String, height: UInt64)
    /// Another payment of this wallet was mined in its place.
    case minedInstead(id: String, by: String, height: UInt64)
    /// A block has used its nonce, with a transaction that is not in the wallet's history.
    case replacedByUnknown(id: String)
    /// A block has spent its coins, with a transaction that is not in the wallet's history.
    case spentByUnknown(id: String)
    /// The signed transaction is not the plan's. Deliver it with the plan from which it was proposed.
    case otherTransaction

    /// The fault after the delivery.
    public indirect enum Reason: Equatable, Sendable {
        /// The task was cancelled.
        case interrupted
        /// A step failed.
        case failed(PaymentError)
    }
}

/// The reason why an Ethereum transaction gets no nonce.
public enum NonceFault: Equatable, Sendable {
    /// The named nonce is used.
    case used(UInt64, next: UInt64)
    /// A lower nonce is free since a node refused its transaction, which may still be mined.
    case behindRefused(UInt64, first: UInt64, id: String)
    /// It would wait for a nonce without a transaction.
    case ahead(UInt64, next: UInt64)
    /// A pending transaction has it.
    case taken(UInt64, id: String)
    /// The nonce of a waiting proposal belongs to a signed transaction.
    case proposalTaken(UInt64, id: String)
    /// It is unknown whether an earlier transaction of the account was sent; `reason` is nil if only the account's
    /// nonces show it.
    case unsettled(id: String?, reason: NodeError?)
    /// An earlier transaction was signed and never sent, and comes first: sending it requires the caller's consent.
    case unsent(UnsentTransaction)
}

/// The fault of a token.
public enum TokenFault: Equatable, Sendable {
    /// The address has no contract on this chain.
    case noContract(EthereumAddress)
    /// The contract does not report its number of decimals.
    case noDecimals(EthereumAddress)
    /// The contract does not report balances.
    case noBalance(EthereumAddress)
    /// The node's number of decimals differs from the caller's or the policy's.
    case otherDecimals(EthereumAddress, told: Int, known: Int)
    /// The account has less than the amount, in the token's smallest unit.
    case insufficient(held: UInt256, amount: UInt256, Decimals)
}

/// The fault of a transaction's gas.
public enum GasFault: Equatable, Sendable {
    /// The node reports that it would fail, with its message.
    case wouldFail(SanitizedText)
    /// The waiting payment of an earlier order may cost more than the ceiling.
    case heldAboveCeiling
    /// The node's price is above the ceiling. `beside` is the chain's fee beside gas.
    case priceAboveCeiling(NodeError, gas: UInt64, highest: Wei, beside: Wei, ChainID)
}

/// The fault of a coin that the caller names.
public enum CoinFault: Equatable, Sendable {
    /// The coin is frozen.
    case frozen(OutPoint)
    /// The coin was not found at the searched addresses.
    case unknown(OutPoint)
}

/// The reason why no address can be used.
public enum AddressFault: Equatable, Sendable {
    /// All searched change addresses are used.
    case noFreshChange(scanned: UInt32)
    /// All receiving addresses up to this index were paid, as the node reports.
    case allPaid(below: UInt32)
    /// Every address that this machine can remember was shown, and no node was asked which ones were paid.
    case allShown
    /// One order pays the same address twice.
    case paidTwice(Address<Checked>)
}

/// The reason why whole keys are not swept.
public indirect enum SweepFault: Equatable, Sendable {
    /// The searched addresses have no coins.
    case noCoins
    /// The wallet is imported, and every person who has its words would still have the coins.
    case importedWallet
    /// The account is the wallet's own.
    case sameAccount(EthereumAddress)
    /// The account has pending transactions: wait until they are mined.
    case transactionsWait(EthereumAddress)
    /// The account has no more than a fee.
    case onlyFee(EthereumAddress, Wei, ChainID)
    /// Some transactions are sent, and the next one was not.
    case interrupted(sent: [TransactionID], PaymentError)
}

extension PaymentError {
    /// Assigns a signing error to its subject.
    public init(_ error: SigningError) {
        switch error {
        case .custody(let error): self = .custody(error)
        case .flow(let fault): self = .flow(fault)
        }
    }
}

extension PaymentError: SigningFailure {}

/// An error that ends a payment, with its subject.
package protocol PaymentProblem: Error {
    var asPaymentError: PaymentError { get }
}

extension PaymentError: PaymentProblem { package var asPaymentError: PaymentError { self } }
extension SigningError: PaymentProblem { package var asPaymentError: PaymentError { PaymentError(self) } }
extension NodeError: PaymentProblem { package var asPaymentError: PaymentError { .node(self) } }
extension CustodyError: PaymentProblem { package var asPaymentError: PaymentError { .custody(self) } }
extension CeremonyError: PaymentProblem { package var asPaymentError: PaymentError { .custody(CustodyError(self)) } }
extension PlanRefusal: PaymentProblem { package var asPaymentError: PaymentError { .plan(self) } }
extension NonceLedger.Fault: PaymentProblem { package var asPaymentError: PaymentError { .ledger(self) } }
extension PayeeFault: PaymentProblem { package var asPaymentError: PaymentError { .payee(self) } }
extension HDKeyError: PaymentProblem { package var asPaymentError: PaymentError { .custody(.wallet(.key(self))) } }
extension BitcoinError: PaymentProblem {
    package var asPaymentError: PaymentError { .custody(.wallet(.bitcoin(self))) }
}
extension EthereumError: PaymentProblem {
    package var asPaymentError: PaymentError { .custody(.wallet(.ethereum(self))) }
}

extension PaymentError {
    /// Runs a closure, and assigns its error to its subject.
    package static func attempt<Value: ~Copyable, Problem: PaymentProblem>(
        _ body: () throws(Problem) -> Value
    ) throws(PaymentError) -> Value {
        do { return try body() } catch { throw error.asPaymentError }
    }

    /// Runs a closure, and assigns its error to its subject.
    package static func attempt<Value: ~Copyable, Problem: PaymentProblem>(
        _ body: () async throws(Problem) -> Value
    ) async throws(PaymentError) -> Value {
        do { return try await body() } catch { throw error.asPaymentError }
    }
}

/// Runs a closure, and assigns its error to its subject.
func attempt<Value: ~Copyable, Problem: PaymentProblem>(
    _ body: () throws(Problem) -> Value
) throws(PaymentError) -> Value { try PaymentError.attempt(body) }

/// Runs a closure, and assigns its error to its subject.
func attempt<Value: ~Copyable, Problem: PaymentProblem>(
    _ body: () async throws(Problem) -> Value
) async throws(PaymentError) -> Value { try await PaymentError.attempt(body) }
