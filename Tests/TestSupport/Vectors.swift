public import Foundation
public import Testing

/// Published test vectors. They are no part of the project: `$FUEKI_VECTORS` tells their folder, else it is
/// `../shared/vectors` beside the package.
///
/// A suite that needs them is marked `@Suite("…", .withVectors)`. Where the folder is absent it is reported as skipped,
/// with the reason; in CI (`CI=true`) it runs and fails, so that a broken checkout is not taken for a passing one.
public enum Vectors {
    public static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["FUEKI_VECTORS"], !path.isEmpty {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        // This file is <package>/Tests/TestSupport/Vectors.swift.
        return URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../shared/vectors", isDirectory: true).standardized
    }()

    public static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// Whether suites that need vectors run.
    public static var areWanted: Bool { areThere || ProcessInfo.processInfo.environment["CI"] == "true" }

    /// One file. - Throws: what Foundation throws if it cannot be read.
    public static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    /// One file of UTF-8 text.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// One JSON file, as a given type or as it comes.
    public static func json<Content: Decodable>(_ path: String, as type: Content.Type = JSON.self) throws -> Content {
        try JSONDecoder().decode(type, from: Data(try bytes(path)))
    }

    /// The paths of all files under a folder of the vectors, sorted; `ext` is how their names end.
    public static func files(in path: String, ending ext: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.appendingPathComponent(path).path)
            .filter { $0.hasSuffix(ext) }.sorted().map { "\(path)/\($0)" }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where the published vectors are, or must be.
    public static var withVectors: Self {
        .enabled(
            if: Vectors.areWanted,
            "the published vectors are not here: set FUEKI_VECTORS to their folder, or put it at ../shared/vectors")
    }
}
