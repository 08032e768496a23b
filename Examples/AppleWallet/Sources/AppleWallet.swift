import AppProtection
import SwiftUI

/// A wallet for one person: makes it, pays with it, and signs in to a server, behind a lock and a cover.
@main
struct AppleWallet: App {
    @State private var model = WalletModel()

    var body: some Scene {
        WindowGroup {
            WalletScreen(model: model)
                .screenShield(model.appGuard) { LockScreen(model: model) }
        }
    }
}

/// The cover: it shows nothing of the wallet, and unlocks it.
struct LockScreen: View {
    let model: WalletModel

    var body: some View {
        ZStack {
            Color.black
            VStack {
                Text("Wallet")
                if model.appGuard.shield.covers.contains(.captured) {
                    Text("The screen is being recorded or mirrored.")
                } else if model.isNew {
                    Button("Make a wallet") { Task { await model.make() } }
                } else {
                    Button("Unlock") { Task { await model.unlock() } }
                }
                Text(model.message)
            }
        }
    }
}

/// The unlocked wallet.
struct WalletScreen: View {
    let model: WalletModel
    @State private var address = ""
    @State private var satoshis = ""

    var body: some View {
        Form {
            Section("Pay") {
                TextField("Address", text: $address)
                TextField("Satoshi", text: $satoshis)
                Button("Pay") { Task { await model.pay(satoshis, to: address) } }
            }
            if let question = model.question {
                Section("Sign this?") {
                    ForEach(question.lines, id: \.self) { line in Text(line) }
                    Button("Sign") { model.answer(true) }
                    Button("Cancel") { model.answer(false) }
                }
            }
            Section("Server") { Button("Sign in") { Task { await model.signIn() } } }
            Button("Lock") { model.appGuard.lock(because: .user) }
            Text(model.message)
            if model.appGuard.notice == .screenshotTaken {
                Text("A screenshot is in your photos, and in their backup.")
                Button("I know") { model.appGuard.dismissNotice() }
            }
        }
    }
}
