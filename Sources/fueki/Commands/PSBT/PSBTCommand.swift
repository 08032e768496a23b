internal import ArgumentParser

struct PSBTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "psbt", abstract: "Inspect, sign, combine and finalise transactions (PSBT, BIP-174).",
        subcommands: [PSBTInspect.self, PSBTSign.self, PSBTCombine.self, PSBTFinalize.self])
}
