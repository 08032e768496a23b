/// A step of a long command in words.
package struct StepText: Equatable, Sendable {
    /// The words while the step runs: `opening the backup share`.
    package let doing: String
    /// The words after the step has ended: `opened the backup share`.
    package let done: String

    package init(_ doing: String, done: String) { (self.doing, self.done) = (doing, done) }
}
