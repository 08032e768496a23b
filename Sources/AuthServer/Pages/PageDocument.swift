/// The document of the pages: a template, in which `{{key}}` stands for a text and `{{$name}}` for a value of the server.
struct PageDocument {
    let template: String
    let texts: PageTexts
    /// The operator's name for the server.
    let service: String
    /// The server's values by their names, as HTML.
    let values: [String: String]

    /// The document with all texts and values inserted. Inserted text is not read as a template again: a name with
    /// braces in it stays a name.
    var html: String {
        var html = ""
        for (number, part) in template.split(separator: "{{", omittingEmptySubsequences: false).enumerated() {
            guard number > 0 else {
                html += part
                continue
            }
            guard let end = part.firstRange(of: "}}") else { preconditionFailure("a placeholder has to end") }
            html += content(of: part[..<end.lowerBound])
            html += part[end.upperBound...]
        }
        return html
    }

    private func content(of placeholder: Substring) -> String {
        guard placeholder.hasPrefix("$") else { return Self.escaped(texts.text(String(placeholder), service: service)) }
        guard let value = values[String(placeholder.dropFirst())] else {
            preconditionFailure("the document names a value that is not there: \(placeholder)")
        }
        return value
    }

    /// Returns a text escaped for an element or for an attribute in quotation marks: no part of it is markup.
    static func escaped(_ text: String) -> String {
        // By scalars: a quotation mark with a combining mark behind it is another `Character`.
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(scalar)
            }
        }.joined()
    }
}
