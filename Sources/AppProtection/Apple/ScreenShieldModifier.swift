#if canImport(SwiftUI)
    public import SwiftUI

    #if canImport(UIKit)
        internal import UIKit
    #endif

    extension View {
        /// Covers the view while its window must not be seen, and locks the app as `guard` says.
        ///
        /// Put it on the root of the scene, around everything: a sheet or an alert has its own, because the system
        /// draws them above.
        ///
        /// - Parameter cover: drawn in place of the view: a logo, or the screen that unlocks.
        public func screenShield<Cover: View>(
            _ appGuard: AppGuard, @ViewBuilder cover: () -> Cover
        ) -> some View {
            modifier(ScreenShieldModifier(appGuard: appGuard, cover: cover()))
        }
    }

    private struct ScreenShieldModifier<Cover: View>: ViewModifier {
        let appGuard: AppGuard
        let cover: Cover
        @Environment(\.scenePhase) private var phase
        #if canImport(UIKit)
            @Environment(\.isSceneCaptured) private var isCaptured
        #endif

        func body(content: Content) -> some View {
            content
                // Not only hidden behind the cover: also not read aloud, and not touched.
                .opacity(appGuard.shield.isCovered ? 0 : 1)
                .disabled(appGuard.shield.isCovered)
                .accessibilityHidden(appGuard.shield.isCovered)
                .simultaneousGesture(DragGesture(minimumDistance: 0).onChanged { _ in appGuard.touched() })
                .overlay { if appGuard.shield.isCovered { cover.ignoresSafeArea() } }
                .onChange(of: phase, initial: true) { _, phase in appGuard.changed(to: phase) }
                #if canImport(UIKit)
                    .onChange(of: isCaptured, initial: true) { _, isCaptured in
                        appGuard.captureChanged(to: isCaptured)
                    }
                    .task {
                        let name = UIApplication.userDidTakeScreenshotNotification
                        for await _ in NotificationCenter.default.notifications(named: name).map({ _ in () }) {
                            appGuard.screenshotTaken()
                        }
                    }
                #endif
        }
    }
#endif
