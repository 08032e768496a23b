internal import ArgumentParser
internal import Wallet

/// Which costly findings are signed all the same where no one is asked.
struct AcceptOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --yes or --expect: sign although this costly finding is there, by its name in the output of --json; "
                + "several with commas between them, or once for each.",
            valueName: "findings"))
    var accept: [String] = []

    /// What was accepted by name.
    var names: Set<String> { Set(accept.flatMap(Self.parts)) }

    func validate() throws {
        if let unknown = accept.flatMap(Self.parts).first(where: { !Finding.names.contains($0) }) {
            throw ValidationError(
                "there is no finding '\(unknown)': --accept takes \(Finding.names.sorted().joined(separator: ", "))")
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
