public import Secrets
public import SecureStorage

/// Unlocks an app: asks through the gate and the app's own PIN screen in the order of ``UnlockFlow``, until one of them
/// has released the secret.
public struct Unlocking: Sendable {
    private let gate: any UserGate
    private let dialog: any UnlockDialog
    private let openWithPIN: @Sendable (borrowing SecretBytes) async throws(SecureStorageError) -> SecretBytes

    /// Creates an unlocking.
    ///
    /// - Parameters:
    ///   - gate: the system's checks.
    ///   - dialog: the app's screens.
    ///   - openWithPIN: opens the secret with a PIN: the vault, or a chip's sealed bytes. The PIN is part of the key,
    ///     and is never compared with a stored one.
    public init(
        through gate: any UserGate, dialog: any UnlockDialog,
        openingWithPIN openWithPIN:
            @escaping @Sendable (borrowing SecretBytes) async throws(SecureStorageError) -> SecretBytes
    ) {
        self.gate = gate
        self.dialog = dialog
        self.openWithPIN = openWithPIN
    }

    /// Unlocks.
    ///
    /// - Parameter reason: the text on the system's prompt.
    public func run(_ rules: UnlockRules, reason: String) async -> UnlockResult {
        var flow = UnlockFlow(rules)
        while true {
            switch flow.step {
            case .ask(let method, let notice):
                if let secret = await ask(method, notice, reason, &flow) {
                    return .unlocked(secret, lost: flow.lostMethods)
                }
            case .choose(let choices, let notice): flow.choose(await dialog.choose(among: choices, after: notice))
            case .pause(let method):
                switch await dialog.waitUntilActive(for: method) {
                case .active: flow.resumed()
                case .logOut: flow.choose(.logOut)
                }
            case .end(let end): return .ended(end, lost: flow.lostMethods)
            }
        }
    }

    /// Asks once, and records a failure. - Returns: what the user's answer released.
    private func ask(
        _ method: UnlockMethod, _ notice: UnlockNotice?, _ reason: String, _ flow: inout UnlockFlow
    ) async -> SecretBytes? {
        do throws(SecureStorageError) {
            guard let check = method.check else {
                switch await dialog.pin(after: notice) {
                case .entered(let pin): return try await openWithPIN(pin)
                case .cancelled: throw .backend(.software, .cancelled)
                }
            }
            if let fault = await gate.unavailability(of: check) { throw .backend(.secureEnclave, fault) }
            switch try await gate.release(by: check, reason: reason) {
            case .released(let secret): return secret
            case .otherWay: flow.choseOtherWay()
            }
        } catch { flow.failed(error) }
        return nil
    }
}

/// The result of unlocking: the released secret, or the reason why no method released it.
public enum UnlockResult: ~Copyable, Sendable {
    /// The released secret. `lost` are the methods to set up anew with it.
    case unlocked(SecretBytes, lost: Set<UnlockMethod>)
    /// No method unlocked.
    case ended(UnlockEnd, lost: Set<UnlockMethod>)
}

/// The screens of an app that unlocking needs: a port.
public protocol UnlockDialog: Sendable {
    /// Asks for the PIN.
    ///
    /// - Parameter notice: why another method did not unlock, or nil.
    func pin(after notice: UnlockNotice?) async -> PINAnswer

    /// Asks the user to choose.
    func choose(among choices: [UnlockChoice], after notice: UnlockNotice) async -> UnlockChoice

    /// Returns when the app is active and the device is unlocked, or the user logs out.
    func waitUntilActive(for method: UnlockMethod) async -> PauseAnswer
}

/// The answer of a PIN screen.
public enum PINAnswer: ~Copyable, Sendable {
    /// The PIN that the user typed.
    case entered(SecretBytes)
    /// The user left the screen.
    case cancelled
}

/// The end of a pause.
public enum PauseAnswer: Sendable {
    /// The app is active.
    case active
    /// The user logs out instead.
    case logOut
}
