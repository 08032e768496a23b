public import Secrets
internal import Synchronization
public import Time

/// The secret that a gate released, for as long as ``AutoLock`` allows: locking wipes it.
///
/// Nothing of the app asks whether it is locked. It asks for the secret, and gets it or not.
public final class UnlockedSession: Sendable {
    private struct State: ~Copyable {
        var lock: AutoLock
        var secret: SecretBytes?
    }

    private let state: Mutex<State>

    /// Creates a session, locked.
    public init(_ rules: AutoLockRules) { state = Mutex(State(lock: AutoLock(rules), secret: nil)) }

    /// Keeps a released secret. An earlier one is wiped.
    public func unlock(with secret: consuming sending SecretBytes, at now: ClockReading) -> AutoLockInstruction {
        let secret = OneShot(secret)
        return state.withLock { state in
            state.secret = secret.take()
            return state.lock.handle(.unlocked, at: now)
        }
    }

    /// Records an event, and wipes the secret if it locks the app. ``AutoLockEvent/unlocked`` is not one of them: only
    /// ``unlock(with:at:)`` unlocks.
    public func handle(_ event: AutoLockEvent, at now: ClockReading) -> AutoLockInstruction {
        state.withLock { state in Self.handle(event == .unlocked ? .timer : event, at: now, &state) }
    }

    /// Calls `body` with the secret. The limits are checked before, and this use does not count as the user's activity.
    ///
    /// - Returns: what `body` returned; nil if the session is locked.
    public func withSecret<Result: ~Copyable, Failure: Error>(
        at now: ClockReading, _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let secret = state.withLock { state -> OneShot<SecretBytes>? in
            _ = Self.handle(.timer, at: now, &state)
            guard let copy = state.secret?.clone() else { return nil }
            return OneShot(copy)
        }
        // A clone, so that a slow use does not hold up the lock; it is wiped when the use ends.
        guard let copy = secret?.take() else { return nil }
        return try body(copy)
    }

    /// The reason of the last lock; nil while the secret is there.
    public var lockReason: LockReason? { state.withLock { $0.secret == nil ? $0.lock.lastReason : nil } }

    private static func handle(_ event: AutoLockEvent, at now: ClockReading, _ state: inout State)
        -> AutoLockInstruction
    {
        let instruction = state.lock.handle(event, at: now)
        switch instruction {
        case .lock, .stayLocked: state.secret = nil
        case .checkAgain: break
        }
        return instruction
    }
}
