#if canImport(LocalAuthentication)
    public import LocalAuthentication
    public import Secrets
    public import SecureStorage

    /// A context in which the system has checked the user. Reading an item or using a key with it asks no second time.
    ///
    /// The keychain and the Enclave decide whether they accept it: an attacker can make a context that they refuse.
    public struct CheckedContext: @unchecked Sendable {
        // `@unchecked`: the gate uses the context on one thread at a time: first to ask, then to open.

        /// Apple's context.
        public let context: LAContext

        /// Wraps a context.
        public init(_ context: LAContext) { self.context = context }
    }

    /// The system's check for a face, a finger or the device's passcode.
    ///
    /// A check releases what the keychain or the Enclave opens with its context: protect that item with an
    /// `AccessControlPolicy`, or the check protects nothing.
    ///
    /// ```swift
    /// let gate = LocalAuthenticationGate(for: .secureEnclave) { check, context throws(SecureStorageError) in
    ///     try EnclaveSealer(policy: .biometryCurrentSet, …, context: context, …).open(sealed, authorizedBy: device)
    /// }
    /// ```
    public struct LocalAuthenticationGate: UserGate {
        /// Opens the secret after a passed check.
        public typealias Opening =
            @Sendable (UserCheck, CheckedContext) throws(SecureStorageError) -> SecretBytes

        private let backend: StoreBackend
        private let fallbackTitle: String?
        private let open: Opening
        private let calls: BoundedCalls
        private let prompts: BoundedCalls

        /// Creates a gate.
        ///
        /// - Parameters:
        ///   - backend: the place of the secret, for errors.
        ///   - fallbackTitle: the text of the second button on the system's prompt; empty for none, nil for the
        ///     system's.
        ///   - open: opens the secret. It blocks, and may ask the user no second time.
        public init(for backend: StoreBackend, fallbackTitle: String? = nil, opening open: @escaping Opening) {
            self.backend = backend
            self.fallbackTitle = fallbackTitle
            self.open = open
            calls = BoundedCalls(to: backend)
            prompts = BoundedCalls(to: backend, limit: Limits.prompt)
        }

        /// The kind of this device's sensor; nil if it has none, or the app may not use it.
        public static var biometry: BiometryKind? {
            let context = LAContext()
            // Apple fills in the type only after this call.
            _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
            switch context.biometryType {
            case .faceID: return .face
            case .touchID: return .finger
            case .opticID: return .iris
            case .none: return nil
            @unknown default: return nil
            }
        }

        /// Returns the reason why the system cannot make this check now; nil if it can. It shows no prompt.
        public func unavailability(of check: UserCheck) async -> BackendFault? {
            do throws(SecureStorageError) {
                return try await calls.run { () throws(SecureStorageError) in Self.refusal(of: check) }
            } catch { return error.unavailability }
        }

        /// Asks the user, and returns what the passed check released.
        public func release(by check: UserCheck, reason: String) async throws(SecureStorageError) -> GateAnswer {
            let (backend, fallbackTitle, open) = (backend, fallbackTitle, open)
            return try await prompts.run { () throws(SecureStorageError) in
                let context = LAContext()
                // No earlier touch counts, not even the one that unlocked the device.
                context.touchIDAuthenticationAllowableReuseDuration = 0
                context.localizedFallbackTitle = fallbackTitle
                defer { context.invalidate() }
                if let error = Self.evaluate(check.policy, in: context, reason: reason) {
                    guard let fault = LocalAuthenticationErrors.fault(code: error) else { return .otherWay }
                    throw .backend(backend, fault)
                }
                // Nothing was decided yet. An attacker who makes the call above succeed has a context that the keychain
                // and the Enclave do not accept.
                return .released(try open(check, CheckedContext(context)))
            }
        }

        private static func refusal(of check: UserCheck) -> BackendFault? {
            let context = LAContext()
            var error: NSError?
            if context.canEvaluatePolicy(check.policy, error: &error) { return nil }
            return error.flatMap { LocalAuthenticationErrors.fault(code: $0.code) } ?? .malformedAnswer
        }

        /// Asks the user, and waits. - Returns: the code of the error; nil for none.
        private static func evaluate(_ policy: LAPolicy, in context: LAContext, reason: String) -> Int? {
            let answer = AwaitedAnswer<Int?>()
            context.evaluatePolicy(policy, localizedReason: reason) { passed, error in
                answer.give(passed ? nil : (error?._code ?? LocalAuthenticationErrors.failed))
            }
            return answer.wait()
        }
    }

    extension UserCheck {
        fileprivate var policy: LAPolicy {
            switch self {
            case .biometry: .deviceOwnerAuthenticationWithBiometrics
            case .devicePasscode: .deviceOwnerAuthentication
            }
        }
    }
#endif
