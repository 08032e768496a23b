/// The result of a command: JSON for a program, and a text for a person.
package protocol ResultView: Encodable {
    /// The text for a person.
    var text: String { get }
}
