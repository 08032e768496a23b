public import Foundation
public import Testing

/// Published test vectors. They are not part of the project: `$FUEKI_VECTORS` names their folder, by default
/// `../shared/vectors` beside the package.
///
/// A suite that needs them is marked `@Suite("…", .withVectors)`. Without the folder it is reported as skipped, with
/// the reason; in CI (`CI=true`) it runs and fails, so that a broken checkout does not pass.
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

    /// Reads one file.
    ///
    /// - Throws: Foundation's error if it cannot be read.
    public static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    /// One file of UTF-8 text.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// Reads one JSON file, as a given type or unchanged.
    public static func json<Content: Decodable>(_ path: String, as type: Content.Type = JSON.self) throws -> Content {
        try JSONDecoder().decode(type, from: Data(try bytes(path)))
    }

    /// Returns the values in lines of the form `name = value` of a BIP's text.
    public static func values(_ name: String, in bip: String) throws -> [String] {
        try text("bip-text/\(bip).mediawiki").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count >= 3, parts[0] == name, parts[1] == "=" else { return nil }
            return String(parts[2])
        }
    }

    /// The BIP-39 seed, without a passphrase, of the mnemonic "abandon … about", whose entropy is zero: the examples of
    /// BIP-49, BIP-84 and BIP-86 begin with it.
    public static let zeroSeed = hex(
        "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4"
    )

    /// Returns the paths of all files under a folder of the vectors, sorted; `ext` is the end of their names.
    public static func files(in path: String, ending ext: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.appendingPathComponent(path).path)
            .filter { $0.hasSuffix(ext) }.sorted().map { "\(path)/\($0)" }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where the published vectors exist, or must exist.
    public static var withVectors: Self {
        .enabled(
            if: Vectors.areWanted,
            "the published vectors are not here: set FUEKI_VECTORS to their folder, or put it at ../shared/vectors")
    }
}
