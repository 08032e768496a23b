package import SecureStorage
package import Texts

extension StoreHome.Step {
    /// The step in words.
    package var text: StepText {
        switch self {
        case .copied(let number, let count):
            StepText("copying item \(number) of \(count)", done: "copied item \(number) of \(count) and read it back")
        case .comparing: StepText("comparing all items again", done: "compared all items")
        case .deleting: StepText("deleting the items in the place that is left", done: "deleted the old items")
        }
    }
}
