package import ArgumentParser
package import Files

/// Options that name files with secrets.
package protocol SecretFileOptions: ParsableArguments {
    /// The named files, each with the users whose access causes a warning.
    var secretFiles: [SecretFiles.Named] { get }
}

/// The files with secrets that a command line names.
///
/// A file that other users can read is accepted: containers often provide secrets only in this way, and a passphrase
/// alone opens nothing. But the command warns the user, and the JSON result contains the warning.
package enum SecretFiles {
    package struct Named {
        let path: String?
        let others: SecretFile.Others

        package init(path: String?, others: SecretFile.Others = .groupOrAll) {
            self.path = path
            self.others = others
        }
    }

    /// Returns a warning for each file that other users can access.
    ///
    /// - Parameter command: the command whose option groups are searched recursively.
    package static func warnings(on command: any ParsableArguments) -> [String] {
        named(by: command).compactMap { file in
            guard let path = file.path, SecretFile.isWithinReach(of: file.others, path) else { return nil }
            return "other users of this machine can access \(path), which holds a secret; 'chmod 600' keeps them out"
        }
    }

    /// Refuses a second file that is standard input, which can be read once.
    ///
    /// - Parameter paths: the paths of all files of a command line that can be `-`; nil for an option that is not given.
    package static func requireOneStandardInput(_ paths: [String?]) throws {
        guard paths.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("only one file can be standard input")
        }
    }

    private static func named(by options: any ParsableArguments) -> [Named] {
        let own = (options as? any SecretFileOptions)?.secretFiles ?? []
        let groups = Mirror(reflecting: options).children.compactMap { ($0.value as? any GroupOfOptions)?.options }
        return own + groups.flatMap(named)
    }
}

/// An `OptionGroup` with options of any type.
private protocol GroupOfOptions {
    var options: any ParsableArguments { get }
}

extension OptionGroup: GroupOfOptions {
    fileprivate var options: any ParsableArguments { wrappedValue }
}
