/// One line about what is to be signed, for a person to read before: a member of a document, or an argument of a call.
public struct SanitizedLine: Hashable, Sendable {
    /// What stands behind the label.
    public enum Content: Hashable, Sendable {
        /// Lines that lie one deeper follow.
        case heading
        /// Lines for the elements of a list follow, one deeper, labelled with their numbers.
        case list(count: Int)
        /// A number, an address, bytes or a Boolean, as it is signed.
        case value(String)
        /// Text of others, which may have several lines.
        case text(SanitizedText)
    }

    /// How deep it lies in what is shown: 0 outside.
    public let depth: Int
    /// An identifier of Solidity, a number, or a word of this program.
    public let label: String
    /// What stands behind the label.
    public let content: Content

    package init(_ label: String, _ content: Content, depth: Int) {
        self.depth = depth
        self.label = label
        self.content = content
    }

    /// Without line breaks but for those of a text.
    public var text: String {
        switch content {
        case .heading: "\(label):"
        case .list(let count): "\(label): a list of \(count)"
        case .value(let value): "\(label): \(value)"
        case .text(let text): "\(label): '\(text)'"
        }
    }

    /// Text of others, if there is any.
    package var foreignText: SanitizedText? { if case .text(let text) = content { text } else { nil } }
}
