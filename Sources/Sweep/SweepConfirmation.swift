public import SigningSession
public import Wallet

/// The next step with a planned sweep, given the way in which the person confirms it.
public enum SweepConfirmation: Equatable, Sendable {
    /// Show everything with all findings, and ask the person; after a yes, send it.
    case question
    /// The person has confirmed it: send it without a question.
    case confirmed
    /// Nothing is to be sent: show it.
    case rehearsed
    /// These costly findings were not accepted by name.
    case unaccepted([Finding])
}

/// A planned sweep of whole keys, before a person confirms it.
public protocol PlannedSweep: Sendable {
    /// The effects of each of its transactions, without findings.
    var intents: [Intent] { get }
}

extension PlannedSweep {
    /// Returns the costly findings of all transactions. The wallet's book is not asked: the keys belong to no wallet.
    ///
    /// - Parameter now: the time in seconds since 1970.
    public func costs(now: UInt64) -> [Finding] {
        intents.flatMap { $0.checked(in: .unknown(now: now)).costs(besides: []) }
    }

    /// Decides the next step: a fee that a node made high is not paid unless a person has seen or accepted it.
    ///
    /// - Parameters:
    ///   - method: the way in which the person confirms it.
    ///   - isRehearsal: whether nothing is to be sent.
    ///   - now: the time in seconds since 1970.
    public func confirmation(by method: ConfirmationMethod, isRehearsal: Bool, now: UInt64) -> SweepConfirmation {
        if isRehearsal { return .rehearsed }
        if method.isQuestion { return .question }
        let unaccepted = method.unaccepted(among: costs(now: now))
        return unaccepted.isEmpty ? .confirmed : .unaccepted(unaccepted)
    }
}

extension BitcoinSweep: PlannedSweep {
    public var intents: [Intent] { summaries.map { Intent($0) } }
}

extension EthereumSweep: PlannedSweep {
    public var intents: [Intent] { [Intent(transaction, from: sender)] }
}
