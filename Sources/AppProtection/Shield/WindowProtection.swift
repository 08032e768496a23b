public import Secrets
public import Time

/// One window of an app: the session's lock and the window's cover, in the right order. The adapters of SwiftUI and
/// UIKit pass their events to it, and draw its shield.
///
/// All windows of an app share one session; each has a shield of its own.
public struct WindowProtection: Sendable {
    /// The cover of the window, and the drawing of its secret fields.
    public private(set) var shield: ScreenShield

    private let session: UnlockedSession
    private var wasInBackground = true

    /// Creates the protection of a window that was not shown yet.
    public init(of session: UnlockedSession, whileCaptured rule: CaptureRule) {
        self.session = session
        shield = ScreenShield(whileCaptured: rule)
    }

    /// Records that the window's phase changed.
    public mutating func changed(to phase: WindowPhase, at now: ClockReading) -> AutoLockInstruction {
        switch phase {
        case .background:
            // The cover comes first: nothing that follows may be in the system's picture.
            _ = shield.handle(.enteredBackground)
            wasInBackground = true
            return apply(session.handle(.enteredBackground, at: now))
        case .inactive:
            _ = shield.handle(.becameInactive)
            return apply(session.handle(.timer, at: now), decides: !wasInBackground)
        case .active:
            // The lock is decided before the cover goes: otherwise the first frame would show a session that is over.
            let instruction = apply(session.handle(wasInBackground ? .enteredForeground : .timer, at: now))
            wasInBackground = false
            _ = shield.handle(.becameActive)
            return instruction
        }
    }

    /// Records a touch or a key.
    public mutating func touched(at now: ClockReading) -> AutoLockInstruction {
        apply(session.handle(.activity, at: now), decides: false)
    }

    /// Records that the time of an instruction has passed.
    public mutating func timePassed(at now: ClockReading) -> AutoLockInstruction {
        apply(session.handle(.timer, at: now), decides: false)
    }

    /// Keeps the secret that a gate released.
    public mutating func unlock(with secret: consuming sending SecretBytes, at now: ClockReading) -> AutoLockInstruction
    {
        apply(session.unlock(with: secret, at: now))
    }

    /// Locks.
    public mutating func lock(because reason: LockReason, at now: ClockReading) -> AutoLockInstruction {
        apply(session.handle(.lock(reason), at: now))
    }

    /// Records that a capture of the window's screen began or ended.
    public mutating func captureChanged(to isCaptured: Bool) -> ScreenNotice? {
        shield.handle(isCaptured ? .captureBegan : .captureEnded)
    }

    /// Records that the user took a screenshot.
    public mutating func screenshotTaken() -> ScreenNotice? { shield.handle(.screenshotTaken) }

    /// - Parameter decides: whether a session that is still unlocked uncovers the window. A touch or a timer does not:
    ///   they may come between the return of the window and its decision.
    private mutating func apply(_ instruction: AutoLockInstruction, decides: Bool = true) -> AutoLockInstruction {
        switch instruction {
        case .lock, .stayLocked: _ = shield.handle(.locked)
        case .checkAgain: if decides { _ = shield.handle(.unlocked) }
        }
        return instruction
    }
}

/// The phase of a window: SwiftUI's `ScenePhase`, and the notifications of UIKit's scenes.
public enum WindowPhase: String, CaseIterable, Sendable {
    /// The window has the user's attention.
    case active
    /// The window is visible, and another thing has the user's attention.
    case inactive
    /// The window is not visible.
    case background
}
