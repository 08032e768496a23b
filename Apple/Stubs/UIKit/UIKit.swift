@_exported import Foundation

// https://developer.apple.com/documentation/quartzcore/calayer
// Part of QuartzCore, which UIKit exports.
@MainActor open class CALayer: NSObject {}

// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {}

// https://developer.apple.com/documentation/uikit/uicolor
open class UIColor: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/uikit/uicolor/systembackground
    public class var systemBackground: UIColor { UIColor() }
}

// https://developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    public convenience override init() { self.init(frame: .zero) }
    open var bounds: CGRect = .zero
    open var frame: CGRect = .zero
    open var isHidden: Bool = false
    open var backgroundColor: UIColor?
    open var isUserInteractionEnabled: Bool = true
    open var accessibilityElementsHidden: Bool = false
    open var accessibilityViewIsModal: Bool = false
    open var subviews: [UIView] { [] }
    open var window: UIWindow? { nil }
    open var traitCollection: UITraitCollection { UITraitCollection() }
    open var autoresizingMask: AutoresizingMask = []
    open func addSubview(_ view: UIView) {}
    open func bringSubviewToFront(_ view: UIView) {}
    open func removeFromSuperview() {}
    open func layoutSubviews() {}
    open func setNeedsLayout() {}
    open func didMoveToWindow() {}
    // https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }
    // https://developer.apple.com/documentation/uikit/uitraitchangeobservable
    @discardableResult
    public func registerForTraitChanges<Observer: UIView>(
        _ traits: [any UITraitDefinition.Type], handler: @escaping @MainActor (Observer, UITraitCollection) -> Void
    ) -> any UITraitChangeRegistration { fatalError() }
}

// https://developer.apple.com/documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
    open var windowScene: UIWindowScene? { nil }
}

// https://developer.apple.com/documentation/uikit/uitraitdefinition
public protocol UITraitDefinition {}
// https://developer.apple.com/documentation/uikit/uitraitscenecapturestate
public struct UITraitSceneCaptureState: UITraitDefinition {}
// https://developer.apple.com/documentation/uikit/uitraitchangeregistration
public protocol UITraitChangeRegistration {}
// https://developer.apple.com/documentation/uikit/uiscenecapturestate
public enum UISceneCaptureState: Int, Sendable {
    case unspecified = -1
    case inactive = 0
    case active = 1
}
// https://developer.apple.com/documentation/uikit/uitraitcollection
@MainActor open class UITraitCollection: NSObject {
    // https://developer.apple.com/documentation/uikit/uitraitcollection/scenecapturestate
    open var sceneCaptureState: UISceneCaptureState { .inactive }
}

// https://developer.apple.com/documentation/uikit/uivisualeffect
@MainActor open class UIVisualEffect: NSObject {}
// https://developer.apple.com/documentation/uikit/uiblureffect
@MainActor open class UIBlurEffect: UIVisualEffect {
    public enum Style: Int, Sendable { case systemThickMaterial = 9 }
    public init(style: Style) {}
}
// https://developer.apple.com/documentation/uikit/uivisualeffectview
@MainActor open class UIVisualEffectView: UIView {
    public init(effect: UIVisualEffect?) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

// https://developer.apple.com/documentation/uikit/uitextfield
@MainActor open class UITextField: UIView {
    open var isSecureTextEntry: Bool = false
}

// https://developer.apple.com/documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiscene/willdeactivatenotification
    nonisolated public static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    // https://developer.apple.com/documentation/uikit/uiscene/didactivatenotification
    nonisolated public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    // https://developer.apple.com/documentation/uikit/uiscene/didenterbackgroundnotification
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")
    // https://developer.apple.com/documentation/uikit/uiscene/willenterforegroundnotification
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
}
// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {}

// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiapplication/userdidtakescreenshotnotification
    nonisolated public static let userDidTakeScreenshotNotification = Notification.Name(
        "UIApplicationUserDidTakeScreenshotNotification")
}

// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    open var view: UIView! {
        get { nil }
        set {}
    }
}

// https://developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)
// Part of Foundation on Apple's systems only.
extension NotificationCenter {
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications()
    }
    public final class Notifications: AsyncSequence, Sendable {
        public typealias Element = Notification
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> Notification? { nil }
        }
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}
