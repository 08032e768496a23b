public import Foundation

/// The compiler that built the tests, run on a few lines with the built modules: for attacks that must not compile.
///
/// Compile a control beside them, which differs only in being allowed. One run takes about half a second.
public enum Compiler {
    /// The folder of the built modules; nil if it was not found.
    public static let modules: URL? = {
        let beside = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [Bundle.main.bundleURL]
        return beside.map { $0.appendingPathComponent("Modules") }.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("Secrets.swiftmodule").path)
        }
    }()

    /// Returns the compiler's messages, or nil if the code compiles.
    ///
    /// - Parameter options: additional options for the compiler.
    public static func errors(
        in body: String, importing names: [String], options: [String] = []
    ) throws -> String? {
        guard let modules else { throw CocoaError(.fileNoSuchFile) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fueki-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("attack.swift")
        let imports = names.map { "import \($0)\n" }.joined()
        try "\(imports)\(body)\n".write(to: source, atomically: true, encoding: .utf8)

        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized
        // Double consumption of a value is detected only after type checking: hence `-emit-sil`.
        let command =
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null", "-I", modules.path]
            + options
            + ["CSodium", "CSecp256k1", "CSHA256/include"].flatMap { ["-I", sources.appendingPathComponent($0).path] }
            + [
                source.path
            ]
        let outcome = try Program.run("/usr/bin/env", command)
        return outcome.isSuccess ? nil : outcome.errors
    }
}
