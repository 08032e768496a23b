#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Finds out whether an open file is a terminal that shows styles.
package enum TerminalStyles {
    /// Returns whether the file is a terminal and the environment allows styles.
    ///
    /// - Parameters:
    ///   - file: an open file of this process.
    ///   - environment: the environment of this process. A nonempty `NO_COLOR` (no-color.org) and `TERM=dumb` disable
    ///     styles.
    package static func areShown(on file: Int32, _ environment: [String: String]) -> Bool {
        isatty(file) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Returns whether the file is a terminal and the environment of this process allows styles.
    package static func areShown(on file: Int32) -> Bool {
        let names = ["NO_COLOR", "TERM"]
        return areShown(
            on: file,
            Dictionary(
                uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }))
    }
}
