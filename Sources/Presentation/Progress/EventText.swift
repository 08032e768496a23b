package import Texts

/// The text of an event for a person who waits.
package enum EventText {
    /// The beginning of a step.
    case step(StepText)
    /// The continuation of a step: a terminal shows a clock.
    case clock(String)
    /// A note beside the steps.
    case note(String)
}
