internal import ServerHTTP

/// The operator's logo, read from a file whose format was checked.
package struct PageLogo: Equatable, Sendable {
    /// The accepted formats. The bytes of a file decide its format, not its name.
    package enum Format: String, Sendable {
        case png = "image/png"
        case webP = "image/webp"
        case svg = "image/svg+xml"
    }

    /// The reasons why a file cannot be the logo.
    enum Flaw: Error, Equatable, Sendable {
        case file(OperatorFile.Flaw)
        /// It is neither PNG nor WebP nor SVG.
        case unknownFormat
        /// It is SVG with an active part, which a picture does not need: a script, an event handler, an entity, a
        /// foreign object.
        case activeContent(String)
    }

    package let format: Format
    package let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(Flaw) {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            format = .png
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            format = .webP
        } else if let text = String(validating: bytes, as: UTF8.self), Self.isSVG(text) {
            if let word = Self.activeContent(of: text.lowercased()) { throw .activeContent(word) }
            format = .svg
        } else {
            throw .unknownFormat
        }
        self.bytes = bytes
    }

    /// Reads the file that the settings name. - Throws: ``StartupError/pageLogo(_:_:)``.
    package static func read(_ path: String) throws(StartupError) -> PageLogo {
        do {
            let bytes: [UInt8]
            do {
                bytes = try OperatorFile.read(path, limit: Limits.logoBytes)
            } catch {
                throw Flaw.file(error)
            }
            return try PageLogo(bytes)
        } catch let flaw as Flaw {
            throw .pageLogo(path, flaw.text)
        } catch {
            throw .pageLogo(path, "it cannot be read")
        }
    }

    /// Returns whether the first element is `svg`, after an optional byte order mark, a declaration and comments.
    private static func isSVG(_ text: String) -> Bool {
        var rest = Substring(text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text)
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.hasPrefix("<?"), let end = rest.firstRange(of: "?>") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!--"), let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
            } else {
                guard rest.hasPrefix("<svg"), let next = rest.dropFirst(4).first else { return false }
                return next.isWhitespace || next == ">"
            }
        }
    }

    /// Returns the name of a part that could run or load something. The logo's security policy blocks it as well; this
    /// check tells the operator.
    private static func activeContent(of text: String) -> String? {
        let words = [
            "<!doctype", "<!entity", "<script", ":script", "<foreignobject", ":foreignobject", "<iframe", "javascript:",
        ]
        if let word = words.first(where: { text.contains($0) }) { return word }
        // An attribute such as `onload=`.
        return text.firstMatch(of: /\s(?<name>on[a-z]+)\s*=/).map { String($0.output.name) }
    }
}

extension PageLogo.Flaw {
    /// The reason, in words for the operator.
    var text: String {
        switch self {
        case .file(.missing): "the file does not exist"
        case .file(.unreadable): "it cannot be read"
        case .file(.tooLarge(let limit)): "it is larger than \(limit >> 10) KiB"
        case .unknownFormat: "it is not a PNG, WebP or SVG image"
        case .activeContent(let word): "an SVG logo with “\(word)” in it is refused: export it as a plain picture"
        }
    }
}
