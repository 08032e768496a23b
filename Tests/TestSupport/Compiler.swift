public import Foundation

/// The compiler that built this, run on a few lines against the modules that it built: for attacks that do not compile.
///
/// Compile a control beside them, which differs only in being allowed. One run takes about half a second.
public enum Compiler {
    /// Where the built modules are; nil if they were not found.
    public static let modules: URL? = {
        let beside = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [Bundle.main.bundleURL]
        return beside.map { $0.appendingPathComponent("Modules") }.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("Secrets.swiftmodule").path)
        }
    }()

    /// What the compiler says, or nil if it is content.
    ///
    /// - Parameter options: further ones for the compiler.
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
        // Whether a value is consumed twice is found only after type checking: hence `-emit-sil`.
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
