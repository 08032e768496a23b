internal import Secrets

/// The warning about secrets that the system did not lock in memory.
enum UnlockedSecrets {
    /// Returns a warning if such secrets exist; otherwise nil.
    static var warning: String? {
        let unlocked = SecretMemory.state.unlocked
        guard unlocked > 0 else { return nil }
        let limit = SecretMemory.lockLimit.map { " (the limit is \($0 / 1_024) KiB: 'ulimit -l')" } ?? ""
        return
            "\(unlocked / 1_024) KiB of secrets could not be locked in memory\(limit), and the system may write them to "
            + "its swap device; raise the limit, or turn swap off"
    }
}
