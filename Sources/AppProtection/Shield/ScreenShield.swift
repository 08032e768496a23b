/// The cover of an app's window, and the drawing of its secret fields: a state machine that the adapters of SwiftUI and
/// UIKit draw.
///
/// The screen is covered before the system takes its picture for the list of apps, while it is captured or mirrored if
/// the rule says so, and after each return from the background until the app has decided again that it is unlocked.
/// Secret fields are never drawn where a capture can see them.
public struct ScreenShield: Equatable, Sendable {
    private let rule: CaptureRule
    private var phase = Phase.background
    private var session = Session.undecided
    private var isCaptured = false

    private enum Phase { case active, inactive, background }
    private enum Session { case undecided, locked, unlocked }

    /// Creates the shield of a window that was not shown yet: covered.
    public init(whileCaptured rule: CaptureRule) { self.rule = rule }

    /// The reasons of the cover; empty if the screen is not covered.
    public var covers: Set<CoverReason> {
        var reasons: Set<CoverReason> = []
        if phase != .active { reasons.insert(.inactive) }
        switch session {
        case .undecided: reasons.insert(.undecided)
        case .locked: reasons.insert(.locked)
        case .unlocked: break
        }
        if isCaptured, rule == .cover { reasons.insert(.captured) }
        return reasons
    }

    /// Whether the screen is covered.
    public var isCovered: Bool { !covers.isEmpty }

    /// How secret fields are drawn: a recovery phrase, a private key, a PIN.
    public var secretFields: SecretFields { isCovered || isCaptured ? .hidden : .outsideCaptures }

    /// Records an event, and returns what the app should know.
    public mutating func handle(_ event: ScreenEvent) -> ScreenNotice? {
        switch event {
        case .becameInactive:
            // On the way from the background to the front the system reports the same: what was undecided stays so.
            phase = .inactive
        case .enteredBackground:
            phase = .background
            // Time passes there that this shield does not see. Whether the app is still unlocked is decided after the
            // return, and until then the first frame must show nothing.
            if session == .unlocked { session = .undecided }
        case .becameActive: phase = .active
        case .unlocked:
            // A decision that was made before the app went away, and arrives late, is not one about the return.
            if phase != .background { session = .unlocked }
        case .locked: session = .locked
        case .captureBegan:
            defer { isCaptured = true }
            return isCaptured || isCovered ? nil : .captureBegan
        case .captureEnded: isCaptured = false
        case .screenshotTaken:
            // The system reports a screenshot after it was taken, and lets no app prevent it.
            return isCovered ? nil : .screenshotTaken
        }
        return nil
    }
}

/// The action of the shield while the screen is recorded, mirrored or shared.
public enum CaptureRule: String, CaseIterable, Sendable {
    /// Covers the whole window.
    case cover
    /// Hides the secret fields only, so that a user can show the app to support.
    case hideSecrets = "hide-secrets"
}

/// An event of a window, for ``ScreenShield``.
public enum ScreenEvent: Equatable, Sendable {
    /// The window is about to lose the user's attention, or to come back. iOS reports it before the background.
    case becameInactive
    /// The window is not visible.
    case enteredBackground
    /// The window has the user's attention.
    case becameActive
    /// The app is unlocked: it was unlocked now, or the limits were checked now.
    case unlocked
    /// The app has locked itself.
    case locked
    /// The screen is recorded, mirrored or shared from now on.
    case captureBegan
    /// The screen is no longer recorded, mirrored or shared.
    case captureEnded
    /// The user has taken a screenshot.
    case screenshotTaken
}

/// The reasons why a screen is covered.
public enum CoverReason: String, CaseIterable, Sendable {
    /// The window is inactive or in the background.
    case inactive
    /// The app came back, and has not decided yet whether it is unlocked.
    case undecided
    /// The app is locked.
    case locked
    /// The screen is captured.
    case captured
}

/// How secret fields are drawn: in each case, captures leave them out.
public enum SecretFields: String, CaseIterable, Sendable {
    /// The field is empty.
    case hidden
    /// The field is drawn in a layer that captures and screenshots leave out.
    case outsideCaptures = "outside-captures"
}

/// An event that an app tells its user about, or records.
public enum ScreenNotice: String, CaseIterable, Sendable {
    /// A screenshot of the uncovered app was taken: pictures are backed up and shared.
    case screenshotTaken = "screenshot-taken"
    /// A capture began while the app was shown.
    case captureBegan = "capture-began"
}
