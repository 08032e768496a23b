/// Every limit of this target, with its reason.
package enum Limits {
    /// The clocks are read one after the other, and a busy system stops a program between two readings. A difference
    /// below two seconds does not count as sleep.
    static let clockSkew = Duration.seconds(2)
    /// Attempts in one method of unlocking that rules may allow. The system's own limit for a face or finger is five,
    /// and a chip's limit for a PIN counts besides.
    static let attempts = 1...10
}
