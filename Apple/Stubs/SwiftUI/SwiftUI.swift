@_exported import Foundation
@_exported import Observation
public import UIKit

// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }

/// The views whose bodies the framework draws itself.
public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView { public var body: Never { fatalError() } }

// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<A: View, B: View>(first: A) -> _ConditionalContent<A, B> { _ConditionalContent() }
    public static func buildEither<A: View, B: View>(second: B) -> _ConditionalContent<A, B> { _ConditionalContent() }
}
public struct TupleView<Content>: PrimitiveView { nonisolated init() {} }
public struct _ConditionalContent<A, B>: PrimitiveView { nonisolated init() {} }
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: PrimitiveView { nonisolated public init() {} }
// https://developer.apple.com/documentation/swiftui/text
public struct Text: PrimitiveView {
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
    // Apple's parameter is a `LocalizedStringKey`, which a literal makes.
    public init(_ key: StaticString) {}
}
// https://developer.apple.com/documentation/swiftui/color
public struct Color: PrimitiveView {
    nonisolated public static let black = Color()
    nonisolated init() {}
}
// https://developer.apple.com/documentation/swiftui/button
// Apple's type is generic in its label; these initialisers have a text.
public struct Button: PrimitiveView {
    public init(_ title: StaticString, action: @escaping @MainActor () -> Void) {}
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}
// https://developer.apple.com/documentation/swiftui/textfield
// Apple's type is generic in its label; these initialisers have a text.
public struct TextField: PrimitiveView {
    public init(_ title: StaticString, text: Binding<String>) {}
}
// https://developer.apple.com/documentation/swiftui/securefield
// Apple's type is generic in its label; these initialisers have a text.
public struct SecureField: PrimitiveView {
    public init(_ title: StaticString, text: Binding<String>) {}
}
// https://developer.apple.com/documentation/swiftui/vstack
public struct VStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}
// https://developer.apple.com/documentation/swiftui/zstack
public struct ZStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}
// https://developer.apple.com/documentation/swiftui/form
public struct Form<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}
// https://developer.apple.com/documentation/swiftui/section
public struct Section<Content: View>: PrimitiveView {
    public init(_ title: StaticString, @ViewBuilder content: () -> Content) {}
}
// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
}

// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}
// https://developer.apple.com/documentation/swiftui/binding
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public init(projectedValue: Binding<Value>) { self = projectedValue }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}
// https://developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
    // https://developer.apple.com/documentation/swiftui/environmentvalues/scenephase
    public var scenePhase: ScenePhase { .active }
    // https://developer.apple.com/documentation/swiftui/environmentvalues/isscenecaptured
    public var isSceneCaptured: Bool { false }
}
// https://developer.apple.com/documentation/swiftui/environment
@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
// https://developer.apple.com/documentation/swiftui/scenephase
// Apple's enumeration is open: a switch needs `@unknown default`.
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

// https://developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {}
public struct ModifiedContent<Content, Modifier>: PrimitiveView { nonisolated init() {} }

extension View {
    // https://developer.apple.com/documentation/swiftui/view/modifier(_:)
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent() }
    // https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping @MainActor (V, V) -> Void
    ) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/onreceive(_:perform:) has a publisher; the sources use `task`.
    // https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @isolated(any) @Sendable () async -> Void
    ) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)
    public func overlay<V: View>(@ViewBuilder content: () -> V) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/opacity(_:)
    public func opacity(_ opacity: Double) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/disabled(_:)
    public func disabled(_ disabled: Bool) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/accessibilityhidden(_:)
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/ignoressafearea(_:edges:)
    public func ignoresSafeArea() -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/simultaneousgesture(_:including:)
    public func simultaneousGesture<G: Gesture>(_ gesture: G) -> some View { self }
    // https://developer.apple.com/documentation/swiftui/view/privacysensitive(_:)
    public func privacySensitive(_ sensitive: Bool = true) -> some View { self }
}

// https://developer.apple.com/documentation/swiftui/gesture
@MainActor @preconcurrency public protocol Gesture {}
// https://developer.apple.com/documentation/swiftui/draggesture
public struct DragGesture: Gesture {
    nonisolated public init(minimumDistance: CGFloat = 10) {}
    public struct Value: Equatable, Sendable {}
}
extension Gesture where Self == DragGesture {
    // https://developer.apple.com/documentation/swiftui/gesture/onchanged(_:)
    public func onChanged(_ action: @escaping (DragGesture.Value) -> Void) -> DragGesture { self }
}

// https://developer.apple.com/documentation/swiftui/uiviewrepresentable
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ view: UIViewType, context: Context)
    typealias Context = UIViewRepresentableContext<Self>
}
extension UIViewRepresentable { public var body: Never { fatalError() } }
public struct UIViewRepresentableContext<Representable> {}
// https://developer.apple.com/documentation/swiftui/uihostingcontroller
@MainActor open class UIHostingController<Content: View>: UIViewController {
    public init(rootView: Content) { self.rootView = rootView }
    public var rootView: Content
}

// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}
extension App { public static func main() {} }
// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {}
// https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}
