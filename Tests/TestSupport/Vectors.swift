public import Foundation

/// The values of published test vectors: docs/vectors.md names the source of each file, and scripts/import-vectors writes
/// them.
///
/// A missing file fails the test that reads it. A test names the number of the cases that it expects, so that a shorter
/// file fails as well.
public enum Vectors {
    // This file is <package>/Tests/TestSupport/Vectors.swift.
    public static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../Vectors", isDirectory: true).standardized

    /// Reads the bytes of one file.
    ///
    /// - Parameter name: its path in `Tests/Vectors`, without `.json`.
    /// - Throws: Foundation's error if it cannot be read.
    public static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).json")))
    }

    /// Reads one file, as a given type or unchanged.
    public static func json<Content: Decodable>(_ name: String, as type: Content.Type = JSON.self) throws -> Content {
        try JSONDecoder().decode(type, from: Data(try bytes(name)))
    }

    /// The BIP-39 seed, without a passphrase, of the mnemonic "abandon … about", whose entropy is zero: the examples of
    /// BIP-49, BIP-84 and BIP-86 begin with it.
    public static let zeroSeed = hex(
        "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4"
    )
}
