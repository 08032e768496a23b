#if canImport(SwiftUI) && canImport(UIKit)
    public import SwiftUI
    internal import UIKit

    /// A SwiftUI view whose content captures and screenshots leave out: see ``SecretFieldView``.
    public struct SecretField<Content: View>: View {
        private let appGuard: AppGuard
        private let content: Content

        /// Creates a view around the content, which is shown only while the window is neither covered nor captured.
        public init(_ appGuard: AppGuard, @ViewBuilder content: () -> Content) {
            self.appGuard = appGuard
            self.content = content()
        }

        /// The content in its layer.
        public var body: some View {
            SecretFieldRepresentation(content: content, drawing: appGuard.shield.secretFields).privacySensitive()
        }
    }

    private struct SecretFieldRepresentation<Content: View>: UIViewRepresentable {
        let content: Content
        let drawing: SecretFields

        func makeUIView(context: Context) -> SecretFieldView {
            SecretFieldView(UIHostingController(rootView: content).view)
        }

        func updateUIView(_ view: SecretFieldView, context: Context) { view.drawing = drawing }
    }
#endif
