internal import HDKeys
public import Threshold
public import Wallet

/// A failure of a ceremony between the participants of a wallet.
///
/// It contains no key, no share and no unchecked text of a participant.
public enum CeremonyError: Error, Equatable, Sendable {
    /// A message does not parse, or is not one that this step expects.
    case malformedMessage
    /// A message belongs to another session, or is out of order.
    case staleMessage
    /// The participants with these indices did not answer before the deadline of a round.
    case noAnswer(from: [Int])
    /// The number of shares is not the one that the ceremony takes, or one share is given twice.
    case wrongNumberOfShares(needed: Int, given: Int)
    /// The wallet has no share with this index.
    case noSuchShare(index: Int)
    /// A participant was asked to sign something that the user has not confirmed.
    case notWhatWasConfirmed
    /// A participant, or the check before a confirmation, found a refusal.
    case refused([Finding])
    /// Costly findings that were not accepted by name.
    case notAccepted([Finding])
    /// The wallet's policy does not allow the intent, or not yet.
    case forbidden(Decision)
    /// A participant was asked for an ECDSA signature, and has no ledger in which to record bans.
    case noLedger
    /// The transaction, an address, an amount or a key is malformed.
    case wallet(WalletError)
    /// The protocol failed; the error contains the `culprits` if they are known.
    case threshold(ThresholdError)
    /// The participant with this index says that another one cheated, was banned or sent a wrong message. Only that
    /// participant has seen it, and may itself be lying.
    case accusation(ThresholdError, by: Int)
    /// A participant's own ledger or authorizer failed.
    case port(PortError)
}

/// An error of a ledger or an authorizer that another library implements.
public struct PortError: Error, Equatable, Sendable {
    /// The implementer's error.
    public let cause: any Error & Equatable

    /// Wraps a port's own error.
    public init(_ cause: some Error & Equatable) {
        self.cause = cause
    }

    public static func == (left: PortError, right: PortError) -> Bool { isEqual(left.cause, right.cause) }

    private static func isEqual<Cause: Equatable>(_ left: Cause, _ right: any Equatable) -> Bool {
        left == right as? Cause
    }
}

extension PortError: CustomStringConvertible {
    /// The type of the implementer's error. Its own description may contain anything, so it is not repeated.
    public var description: String { "a port's error of the type \(type(of: cause))" }
}

/// Runs a step of a protocol, and wraps its errors in ``CeremonyError/threshold(_:)``.
func inProtocol<Value: ~Copyable>(_ step: () throws(ThresholdError) -> Value) throws(CeremonyError) -> Value {
    do { return try step() } catch { throw .threshold(error) }
}

extension CeremonyError {
    /// Makes a ``wallet(_:)`` error from an invalid derivation path or key.
    static func key(_ error: HDKeyError) -> CeremonyError { .wallet(.key(error)) }
}
