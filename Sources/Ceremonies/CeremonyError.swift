internal import HDKeys
public import Threshold
public import Wallet

/// What went wrong in a ceremony between the participants that hold a wallet's shares.
///
/// It carries no key, no share and no text of a participant that is not checked.
public enum CeremonyError: Error, Equatable, Sendable {
    /// A message does not parse, or is not what this step expects.
    case malformedMessage
    /// A message of another session, or out of turn.
    case staleMessage
    /// The participants with these indices did not answer before the deadline of a round.
    case noAnswer(from: [Int])
    /// Other shares, fewer or more, than the ceremony takes, or one twice.
    case wrongNumberOfShares(needed: Int, given: Int)
    /// The wallet has no share with this index.
    case noSuchShare(index: Int)
    /// A participant was asked to sign something else than the person confirmed.
    case notWhatWasConfirmed
    /// A participant, or the check before a confirmation, found a reason not to sign.
    case refused([Finding])
    /// Costly findings that were not accepted by name.
    case notAccepted([Finding])
    /// The wallet's policy does not let it be signed, or not yet.
    case forbidden(Decision)
    /// A participant was asked for an ECDSA signature, and has nowhere to write down which peers cheat.
    case noLedger
    /// The transaction, an address, an amount or a key is malformed.
    case wallet(WalletError)
    /// The protocol failed; `culprits` are in the error where they are known.
    case threshold(ThresholdError)
    /// The participant with this index says that another one cheated, was banned or sent something wrong. Only that participant has
    /// seen it, and may itself be the one that lies.
    case accusation(ThresholdError, by: Int)
    /// What a participant's own ledger or authorizer could not do.
    case port(PortError)
}

/// What the implementer of a port of this library, a ledger or an authorizer, has to say: an error of its own.
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

/// Runs a step of a protocol, whose errors are those of ``CeremonyError/threshold(_:)``.
func inProtocol<Value: ~Copyable>(_ step: () throws(ThresholdError) -> Value) throws(CeremonyError) -> Value {
    do { return try step() } catch { throw .threshold(error) }
}

extension CeremonyError {
    /// A derivation path or a key that is wrong: ``wallet(_:)``.
    static func key(_ error: HDKeyError) -> CeremonyError { .wallet(.key(error)) }
}
