public import Time

/// When an unlocked app locks itself: a state machine without a clock, a timer or a secret.
///
/// Report what happens with ``handle(_:at:)``, and do what the returned instruction says. ``UnlockedSession`` does that
/// with the secret: it is wiped with the lock.
public struct AutoLock: Equatable, Sendable {
    private let rules: AutoLockRules
    private var unlocked: Unlocked?

    /// The reason of the last lock.
    public private(set) var lastReason = LockReason.notYetUnlocked

    private struct Unlocked: Equatable {
        let since: ClockReading
        var lastActivity: ClockReading
        var lastSeen: ClockReading
        var background: ClockReading?
    }

    /// Creates the machine, locked.
    public init(_ rules: AutoLockRules) { self.rules = rules }

    /// Records an event, and returns what to do now.
    ///
    /// The limits are checked before the event is recorded: a touch after the limit does not prolong an unlocked state.
    public mutating func handle(_ event: AutoLockEvent, at now: ClockReading) -> AutoLockInstruction {
        if case .unlocked = event {
            unlocked = Unlocked(since: now, lastActivity: now, lastSeen: now, background: nil)
            return .checkAgain(within: remaining(at: now))
        }
        guard let state = unlocked else { return .stayLocked }
        if let reason = overdue(state, at: now) { return lock(because: reason) }
        unlocked?.lastSeen = now
        switch event {
        case .unlocked, .timer: break
        case .activity:
            // The user does not see an app in the background: a touch there is not the user's.
            if state.background == nil { unlocked?.lastActivity = now }
        case .enteredBackground:
            if state.background == nil { unlocked?.background = now }
            if rules.background <= .zero { return lock(because: .background) }
        case .enteredForeground: unlocked?.background = nil
        case .lock(let reason): return lock(because: reason)
        }
        return .checkAgain(within: remaining(at: now))
    }

    /// Whether the app is locked. It is a display value: what protects the secret is that ``UnlockedSession`` has wiped
    /// it.
    public var isLocked: Bool { unlocked == nil }

    private mutating func lock(because reason: LockReason) -> AutoLockInstruction {
        unlocked = nil
        lastReason = reason
        return .lock(because: reason)
    }

    /// Returns the limit that has been reached; nil for none.
    private func overdue(_ state: Unlocked, at now: ClockReading) -> LockReason? {
        // A monotonic clock does not run backwards: these readings are of another start, and prove nothing.
        if now.uptime < state.lastSeen.uptime || now.awake < state.lastSeen.awake { return .clock }
        if now.elapsed(since: state.since) >= rules.absolute { return .absoluteLimit }
        if let background = state.background, now.elapsed(since: background) >= rules.background { return .background }
        if let suspension = rules.suspension, now.slept(since: state.lastSeen) >= suspension,
            now.slept(since: state.lastSeen) > .zero
        {
            return .suspended
        }
        if now.elapsed(since: state.lastActivity) >= rules.idle { return .idle }
        return nil
    }

    /// Returns the time until the first limit, if nothing happens.
    private func remaining(at now: ClockReading) -> Duration {
        guard let state = unlocked else { return .zero }
        let limits = [
            rules.absolute - now.elapsed(since: state.since), rules.idle - now.elapsed(since: state.lastActivity),
            state.background.map { rules.background - now.elapsed(since: $0) },
        ]
        return max(.zero, limits.compactMap(\.self).min() ?? .zero)
    }
}

/// The limits of an unlocked state.
public struct AutoLockRules: Equatable, Sendable {
    /// The time without a touch.
    public let idle: Duration
    /// The time since unlocking, however busy the user is.
    public let absolute: Duration
    /// The time in the background. Zero locks when the app goes there.
    public let background: Duration
    /// The sleep of the device that locks, however short the other limits were used; nil if sleep only counts as time.
    public let suspension: Duration?

    /// Creates rules.
    public init(idle: Duration, absolute: Duration, background: Duration, suspension: Duration?) {
        self.idle = idle
        self.absolute = absolute
        self.background = background
        self.suspension = suspension
    }
}

/// An event of an app, for ``AutoLock``.
public enum AutoLockEvent: Equatable, Sendable {
    /// A gate has released the secret.
    case unlocked
    /// The user touched the app or typed.
    case activity
    /// The time of the last instruction has passed.
    case timer
    /// The app went into the background.
    case enteredBackground
    /// The app comes to the front.
    case enteredForeground
    /// The app locks for a reason of its own.
    case lock(LockReason)
}

/// The next action of an app after an event.
public enum AutoLockInstruction: Equatable, Sendable {
    /// Wipe the secret, cover the screen, and ask the user again.
    case lock(because: LockReason)
    /// The app was locked before, and stays so.
    case stayLocked
    /// Stay unlocked, and send ``AutoLockEvent/timer`` within this time.
    case checkAgain(within: Duration)
}

/// The reasons why an app is locked.
public enum LockReason: String, CaseIterable, Sendable {
    /// The app was not unlocked since its start.
    case notYetUnlocked = "not-yet-unlocked"
    /// The user locked it.
    case user
    /// The user logged out.
    case logOut = "log-out"
    /// The user did not touch it for the idle limit.
    case idle
    /// The absolute limit has passed.
    case absoluteLimit = "absolute-limit"
    /// It was in the background for the limit.
    case background
    /// The device slept.
    case suspended
    /// A monotonic clock ran backwards.
    case clock
    /// Another check found a danger.
    case danger
}
