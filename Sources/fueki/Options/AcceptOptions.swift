internal import ArgumentParser
internal import SigningSession
internal import Terminal
internal import Wallet

/// The costly findings that are accepted without a question.
struct AcceptOptions: ParsableArguments {
    @Option(
        help: .value(
            "findings",
            "With --yes or --expect: sign despite this costly finding, by its name in the output of --json; several with "
                + "commas."))
    var accept: [String] = []

    var findings: AcceptedFindings { AcceptedFindings(Set(accept.flatMap(Self.parts))) }

    func validate() throws {
        if let unknown = accept.flatMap(Self.parts).first(where: { !Finding.names.contains($0) }) {
            throw ValidationError(
                "the finding '\(unknown)' is unknown: --accept takes \(Finding.names.sorted().joined(separator: ", "))")
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
