import Foundation
import Testing

/// Published vectors, which are no part of the project: in `$FUEKI_VECTORS`, or in `../shared/vectors` beside it.
enum Vectors {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["FUEKI_VECTORS"] { return URL(fileURLWithPath: path) }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/vectors")
    }()

    /// In CI they must be there; elsewhere their suites are skipped, and say so.
    static var areThere: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: folder.path)
    }

    static func load<Content: Decodable>(_ path: String, as type: Content.Type = Content.self) throws -> Content {
        let data = try Data(contentsOf: folder.appendingPathComponent(path))
        return try JSONDecoder().decode(Content.self, from: data)
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where the published vectors are.
    static var withVectors: Self {
        .enabled(if: Vectors.areThere, "the published vectors are not here: set FUEKI_VECTORS to their folder")
    }
}
