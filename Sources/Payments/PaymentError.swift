public import Amounts
public import Bitcoin
internal import Ceremonies
public import Custody
public import DisplayText
public import Ethereum
public import HDKeys
public import Nodes
public import Wallet

/// A payment that was not planned, signed, delivered or followed, by the matter that stopped it.
public indirect enum PaymentError: Error, Equatable, Sendable {
    /// A node does not answer, or answers what cannot be.
    case node(NodeError)
    /// A share, the wallet's book, its policy, or a ceremony.
    case custody(CustodyError)
    /// No transaction of Bitcoin can be planned.
    case plan(PlanRefusal)
    /// The account's numbers (nonces) on Ethereum do not allow it.
    case ledger(NonceLedger.Fault)
    /// The same payment was ordered before.
    case duplicate(DuplicatePaymentFault)
    /// The transaction cannot be sped up or cancelled.
    case replacement(ReplacementFault)
    /// It is signed, and its way into a block was lost sight of.
    case delivery(DeliveryFault)
    /// The number that the caller names, or one before it.
    case nonce(NonceFault)
    /// The token, or what the account has of it.
    case token(TokenFault)
    /// The gas that a transaction takes, and its price.
    case gas(GasFault)
    /// A coin that the caller names.
    case coin(CoinFault)
    /// An address of the wallet, or of the order.
    case address(AddressFault)
    /// Keys that are whole cannot be emptied.
    case sweep(SweepFault)
}

/// Why a payment that was ordered before is not made anew.
public enum DuplicatePaymentFault: Equatable, Sendable {
    /// A rehearsal signs and hands over nothing, and this transaction would be handed over once more.
    case rehearsal(id: String)
    /// The same payment may be on its way, with another digest than the caller expects, or at a higher fee than it allows.
    case unexpected(id: String, digest: [UInt8], isAboveCeiling: Bool)
    /// The payment with this key was cancelled.
    case cancelled(PaymentKey, by: String)
    /// A cancellation of the payment with this key was signed, and no block has it.
    case cancellationUnclear(PaymentKey, by: String)
    /// The node shows none of the attempts at a payment with a key, and the book does not know why.
    case attemptUnclear(id: String)
    /// The node does not tell whether an earlier attempt may still be mined.
    case unclear(id: String)
    /// An earlier attempt may be mined until these transactions are, and a further payment cannot be bound to them.
    case rivalsWait([String])
    /// The payment with this key was signed already.
    case signedBefore(PaymentKey, id: String)
}

/// Why a transaction that waits is not replaced.
public enum ReplacementFault: Equatable, Sendable {
    /// Others pay for it, too, or its coins are not there.
    case notOurs
    /// It is in a block, and stays.
    case mined(id: String, height: UInt64)
    /// Another one has taken its place.
    case replaced(id: String, by: String)
    /// The node does not know it, and it was not signed here.
    case unknown(id: String)
    /// It was made on another chain.
    case otherChain(id: String, Chain)
}

/// What went wrong behind the signature.
public enum DeliveryFault: Equatable, Sendable {
    /// Signed, and not with the node, or nobody knows. `isRefused`: the node does not have it.
    case notSent(id: String, Chain, NodeError, isRefused: Bool)
    /// The node has it, and something else went wrong. Whoever orders the payment anew pays twice.
    case lostSight(id: String, Reason)
    /// The node took it, and does not show it any more.
    case notShown(id: String)
    /// In a block, where it failed: it cost its fee, and changed nothing else.
    case reverted(id: String, height: UInt64, fee: Wei?, ChainID?)
    /// A cancellation was mined in its place.
    case cancelled(id: String, by: String, height: UInt64)
    /// It was a cancellation, and the payment was mined.
    case cancellationTooLate(id: String, by: String, height: UInt64)
    /// Another payment of this wallet was mined in its place.
    case minedInstead(id: String, by: String, height: UInt64)
    /// A block has used its number, by a transaction that is not in the wallet's history.
    case replacedByUnknown(id: String)

    /// What came behind the delivery.
    public indirect enum Reason: Equatable, Sendable {
        /// The task was cancelled.
        case interrupted
        /// Something failed.
        case failed(PaymentError)
    }
}

/// Why a transaction of Ethereum does not get a number (nonce).
public enum NonceFault: Equatable, Sendable {
    /// The named number is used.
    case used(UInt64, next: UInt64)
    /// A lower number is free since a node refused its transaction, which may be mined yet.
    case behindRefused(UInt64, first: UInt64, id: String)
    /// It would wait for a number that no transaction has.
    case ahead(UInt64, next: UInt64)
    /// A transaction that waits has it.
    case taken(UInt64, id: String)
    /// A waiting proposal has the number of a transaction that is signed.
    case proposalTaken(UInt64, id: String)
    /// Whether an earlier transaction of the account was sent is not known; `reason` is nil where the account's numbers alone say so.
    case unsettled(id: String?, reason: NodeError?)
    /// An earlier transaction was signed and never sent, and comes first: sending it takes the caller's word.
    case unsent(UnsentTransaction)
}

/// What is wrong with a token.
public enum TokenFault: Equatable, Sendable {
    /// There is no contract on this chain.
    case noContract(EthereumAddress)
    /// The contract does not say how many decimals its amounts have.
    case noDecimals(EthereumAddress)
    /// The contract does not say who has how much.
    case noBalance(EthereumAddress)
    /// The node's word is another one than the caller's or the policy's.
    case otherDecimals(EthereumAddress, told: Int, known: Int)
    /// The account has less, in the token's smallest unit.
    case insufficient(held: UInt256, amount: UInt256, Decimals)
}

/// What is wrong with what a transaction of Ethereum runs on.
public enum GasFault: Equatable, Sendable {
    /// The node says that it would fail, with its words.
    case wouldFail(SanitizedText)
    /// The payment that was ordered before, and waits, may cost more than the ceiling.
    case heldAboveCeiling
    /// The node's price is above the ceiling. `beside` is what the chain charges beside gas.
    case priceAboveCeiling(NodeError, gas: UInt64, highest: Wei, beside: Wei, ChainID)
}

/// What is wrong with a coin that the caller names.
public enum CoinFault: Equatable, Sendable {
    /// It is put aside.
    case frozen(OutPoint)
    /// It was not found at the addresses that were looked at.
    case unknown(OutPoint)
}

/// Why there is no address.
public enum AddressFault: Equatable, Sendable {
    /// All addresses for change that are looked at were used.
    case noFreshChange(scanned: UInt32)
    /// All addresses to receive up to this index were paid, as the node says.
    case allPaid(below: UInt32)
    /// The same address is paid twice in one order.
    case paidTwice(Address<Checked>)
}

/// Why keys that are whole are not emptied.
public indirect enum SweepFault: Equatable, Sendable {
    /// No coin is at the addresses that were looked at.
    case noCoins
    /// The wallet's keys were whole once, and whoever has its words would still have the coins.
    case importedWallet
    /// The account is the wallet's own.
    case sameAccount(EthereumAddress)
    /// The account has transactions that wait: what is left then is moved.
    case transactionsWait(EthereumAddress)
    /// The account has no more than a fee.
    case onlyFee(EthereumAddress, Wei, ChainID)
    /// Some of its transactions are sent, and the next one was not.
    case interrupted(sent: [TransactionID], PaymentError)
}

/// An error that ends a payment, put under its matter.
protocol PaymentProblem: Error {
    var asPaymentError: PaymentError { get }
}

extension PaymentError: PaymentProblem { var asPaymentError: PaymentError { self } }
extension NodeError: PaymentProblem { var asPaymentError: PaymentError { .node(self) } }
extension CustodyError: PaymentProblem { var asPaymentError: PaymentError { .custody(self) } }
extension CeremonyError: PaymentProblem { var asPaymentError: PaymentError { .custody(CustodyError(self)) } }
extension PlanRefusal: PaymentProblem { var asPaymentError: PaymentError { .plan(self) } }
extension NonceLedger.Fault: PaymentProblem { var asPaymentError: PaymentError { .ledger(self) } }
extension HDKeyError: PaymentProblem { var asPaymentError: PaymentError { .custody(.wallet(.key(self))) } }
extension BitcoinError: PaymentProblem { var asPaymentError: PaymentError { .custody(.wallet(.bitcoin(self))) } }
extension EthereumError: PaymentProblem { var asPaymentError: PaymentError { .custody(.wallet(.ethereum(self))) } }

/// Runs what may fail, and puts the failure under its matter.
func attempt<Value: ~Copyable, Problem: PaymentProblem>(
    _ body: () throws(Problem) -> Value
) throws(PaymentError) -> Value {
    do { return try body() } catch { throw error.asPaymentError }
}

/// Runs what may fail, and puts the failure under its matter.
func attempt<Value: ~Copyable, Problem: PaymentProblem>(
    _ body: () async throws(Problem) -> Value
) async throws(PaymentError) -> Value {
    do { return try await body() } catch { throw error.asPaymentError }
}
