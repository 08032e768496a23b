/// One line about a payload, for the user to read before it is signed: a member of a document, or an argument of a
/// call.
public struct SanitizedLine: Hashable, Sendable {
    /// The content after the label.
    public enum Content: Hashable, Sendable {
        /// A heading for the following lines, which are one level deeper.
        case heading
        /// A heading for a list: the lines of its elements follow one level deeper, labelled with their numbers.
        case list(count: Int)
        /// A number, an address, bytes or a Boolean, as it is signed.
        case value(String)
        /// Untrusted text, which may have several lines.
        case text(SanitizedText)
    }

    /// The level of the line: 0 for the outermost.
    public let depth: Int
    /// An identifier of Solidity, a number, or a word of this program.
    public let label: String
    /// The content after the label.
    public let content: Content

    package init(_ label: String, _ content: Content, depth: Int) {
        self.depth = depth
        self.label = label
        self.content = content
    }

    /// The line without line breaks, except those of a text.
    public var text: String {
        switch content {
        case .heading: "\(label):"
        case .list(let count): "\(label): a list of \(count)"
        case .value(let value): "\(label): \(value)"
        case .text(let text): "\(label): '\(text)'"
        }
    }

    /// The untrusted text of the line, if it has one.
    package var foreignText: SanitizedText? { if case .text(let text) = content { text } else { nil } }
}
