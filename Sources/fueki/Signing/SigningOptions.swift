internal import ArgumentParser
internal import Ceremonies
internal import Custody
internal import Foundation
internal import Terminal
internal import Threshold

/// What every command takes that signs.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The shares that sign, as in 'device,backup' (default: the first that are there).", valueName: "shares"),
        completion: .list(["device,backup", "device,recovery", "backup,recovery"]))
    var with: String?

    @Flag(
        name: .shortAndLong,
        help: "Do not ask. What is refused stays refused, and so is what looks like a costly mistake.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Do not ask, and sign only what was shown before with this digest.", valueName: "digest"))
    var expect: String?

    @OptionGroup var accepted: AcceptOptions

    @Flag(
        help: "Show what would be signed and what the policy says to it. Signs nothing, sends nothing, opens no share.")
    var dryRun = false

    @Option(
        name: .customLong("approval"),
        help: ArgumentHelp(
            "An approval that the policy asks for, as 'fueki policy approve' writes it; once for each.",
            valueName: "file"),
        completion: .file())
    var approvals: [String] = []

    @OptionGroup var passphrase: PassphraseOptions

    /// The places that `--with` names, or the first whose files are there.
    func locations(of wallet: WalletRecord) throws(Failure) -> [ShareLocation] {
        let needed = wallet.parameters.threshold
        guard let with else {
            let present = wallet.shares.filter { FileManager.default.fileExists(atPath: $0.path) }
            // With too few of them, opening tells which one is not where it should be.
            return (present.count < needed ? wallet.shares : present).prefix(needed).map(\.location)
        }
        var locations: [ShareLocation] = []
        for name in with.split(separator: ",", omittingEmptySubsequences: false) {
            guard let location = ShareLocation(name), wallet.shares.contains(where: { $0.location == location }) else {
                throw CustodyError.noSuchShare(name: String(name)).failure
            }
            locations.append(location)
        }
        guard Set(locations).count == locations.count, locations.count == needed else {
            throw CeremonyError.wrongNumberOfShares(needed: needed, given: Set(locations).count).failure
        }
        return locations
    }
}
