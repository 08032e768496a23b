#if canImport(SwiftUI)
    public import Observation
    public import Secrets
    public import SwiftUI
    public import Time

    /// The protection of one window as SwiftUI observes it: it follows the scene's phase, sets the timer, and says what
    /// to draw. ``WindowProtection`` decides.
    @MainActor @Observable public final class AppGuard {
        /// The cover of the window, and the drawing of its secret fields.
        public var shield: ScreenShield { window.shield }
        /// The last screenshot or capture that the app should tell the user about; nil after ``dismissNotice()``.
        public private(set) var notice: ScreenNotice?
        /// The reason of the last lock; nil while the app is unlocked.
        public private(set) var lockReason: LockReason?

        private var window: WindowProtection
        @ObservationIgnored private let session: UnlockedSession
        @ObservationIgnored private let now: @MainActor () -> ClockReading
        @ObservationIgnored private var timer: Task<Void, Never>?

        /// Creates the protection.
        ///
        /// - Parameters:
        ///   - session: the session, which all windows share.
        ///   - rule: what happens while the screen is captured.
        ///   - now: reads the clocks: `ClockReading.now`.
        public init(
            _ session: UnlockedSession, whileCaptured rule: CaptureRule, now: @escaping @MainActor () -> ClockReading
        ) {
            self.session = session
            self.now = now
            window = WindowProtection(of: session, whileCaptured: rule)
            lockReason = session.lockReason
        }

        /// Keeps the secret that a gate released, and uncovers the window.
        public func unlock(with secret: consuming sending SecretBytes) {
            follow(window.unlock(with: secret, at: now()))
        }

        /// Locks now.
        public func lock(because reason: LockReason) { follow(window.lock(because: reason, at: now())) }

        /// Records a touch or a key.
        public func touched() { follow(window.touched(at: now())) }

        /// Forgets the last notice.
        public func dismissNotice() { notice = nil }

        /// Records a phase of the scene.
        public func changed(to phase: ScenePhase) {
            let phase: WindowPhase =
                switch phase {
                case .active: .active
                case .inactive: .inactive
                case .background: .background
                // A phase that this version does not know: the window is covered.
                @unknown default: .inactive
                }
            follow(window.changed(to: phase, at: now()))
        }

        /// Records that a capture began or ended.
        public func captureChanged(to isCaptured: Bool) { notice = window.captureChanged(to: isCaptured) ?? notice }

        /// Records a screenshot.
        public func screenshotTaken() { notice = window.screenshotTaken() ?? notice }

        private func follow(_ instruction: AutoLockInstruction) {
            timer?.cancel()
            lockReason = session.lockReason
            guard case .checkAgain(let time) = instruction else { return }
            // The timer counts the device's sleep, too; after a longer stop of the app it fires at the return.
            timer = Task { [weak self] in
                try? await Task.sleep(for: time, clock: .continuous)
                guard !Task.isCancelled, let self else { return }
                follow(window.timePassed(at: now()))
            }
        }
    }
#endif
