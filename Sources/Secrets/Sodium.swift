internal import CSodium

/// The state of libsodium in this process.
package enum Sodium {
    private static let started: Void = {
        precondition(sodium_init() >= 0, "libsodium found no source of randomness")
    }()

    /// Starts libsodium, once. Every file that calls libsodium directly calls this first.
    package static func start() { started }
}
