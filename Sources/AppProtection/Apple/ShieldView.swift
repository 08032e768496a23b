#if canImport(UIKit)
    public import UIKit

    /// The cover of a window of UIKit: add it to the window as its last subview, and call ``update(_:)`` after each
    /// event.
    ///
    /// The cover is opaque. A blur alone lets numbers and layouts through; it lies above the opaque colour for the
    /// look.
    @MainActor public final class ShieldView: UIView {
        private let blur = UIVisualEffectView(effect: UIBlurEffect(style: .systemThickMaterial))
        private let report: @MainActor (WindowEvent) -> Void
        private let observers = Observers()

        /// An event of the window that UIKit reports.
        public enum WindowEvent: Equatable, Sendable {
            /// The scene's phase changed.
            case phase(WindowPhase)
            /// A capture of the scene began or ended.
            case capture(Bool)
            /// The user took a screenshot.
            case screenshot
        }

        /// Creates the cover, covering.
        ///
        /// - Parameter report: passes the events to a ``WindowProtection``, and calls ``update(_:)`` with its shield.
        public init(reporting report: @escaping @MainActor (WindowEvent) -> Void) {
            self.report = report
            super.init(frame: .zero)
            backgroundColor = .systemBackground
            autoresizingMask = [.flexibleWidth, .flexibleHeight]
            accessibilityViewIsModal = true
            blur.autoresizingMask = autoresizingMask
            addSubview(blur)
            registerForTraitChanges([UITraitSceneCaptureState.self]) { (view: ShieldView, _) in view.reportCapture() }
            for (name, phase) in [
                (UIScene.willDeactivateNotification, WindowPhase.inactive),
                (UIScene.didEnterBackgroundNotification, .background),
                (UIScene.willEnterForegroundNotification, .inactive), (UIScene.didActivateNotification, .active),
            ] {
                observers.observe(name) { [weak self] notification in
                    let scene = (notification.object as? UIScene).map(ObjectIdentifier.init)
                    MainActor.assumeIsolated { self?.reportPhase(phase, of: scene) }
                }
            }
            observers.observe(UIApplication.userDidTakeScreenshotNotification) { [weak self] _ in
                MainActor.assumeIsolated { self?.report(.screenshot) }
            }
        }

        /// Unavailable: a storyboard cannot give the function that takes the events.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Covers or uncovers the window.
        public func update(_ shield: ScreenShield) {
            isHidden = !shield.isCovered
            window?.bringSubviewToFront(self)
        }

        /// Gives the inner views the size of this one.
        public override func layoutSubviews() {
            super.layoutSubviews()
            blur.frame = bounds
        }

        /// Takes the size of the window, and reports whether its scene is captured.
        public override func didMoveToWindow() {
            super.didMoveToWindow()
            if let window { frame = window.bounds }
            reportCapture()
        }

        private func reportPhase(_ phase: WindowPhase, of scene: ObjectIdentifier?) {
            // An app with several windows has a cover in each.
            guard let own = window?.windowScene.map(ObjectIdentifier.init), own == scene else { return }
            report(.phase(phase))
        }

        private func reportCapture() { report(.capture(traitCollection.sceneCaptureState == .active)) }
    }

    /// Observers of notifications, which are removed with this value.
    private final class Observers {
        private var tokens: [any NSObjectProtocol] = []

        func observe(_ name: Notification.Name, _ block: @escaping @Sendable (Notification) -> Void) {
            // `queue: nil` runs the block within the notification, before the system takes its picture.
            tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: block))
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }
#endif
