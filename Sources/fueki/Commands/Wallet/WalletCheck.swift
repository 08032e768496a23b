internal import ArgumentParser
internal import Custody
internal import Secrets

struct WalletCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Open every share of a wallet, and see that each is whole and belongs to the others.",
        discussion: """
            Changes nothing. Do it now and then, with the sticks and disks in place: a share that does not open is found \
            out while there are others. The exit code is that of the first share that cannot be used.

            EXAMPLE
              fueki wallet check savings
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Entry: Encodable {
        let index: Int
        let location: String
        let ok: Bool
        let problem: String?
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let secret = try passphrase.existing()
        var entries: [Entry] = []
        var failures: [Failure] = []
        for share in wallet.shares {
            output.progress("opening the \(share.location.name) share")
            var failure: Failure?
            do {
                let sealed = try await global.walletHome.open(share.location, of: wallet, passphrase: secret)
                if !sealed.record.isSameWallet(as: wallet) {
                    failure =
                        CustodyError.damagedWallet(
                            name: wallet.name.description,
                            reason: "wallet.json is not what was sealed with the \(share.location.name) share"
                        ).failure
                }
            } catch {
                failure = error.failure
            }
            entries.append(
                Entry(
                    index: share.index, location: share.location.name, ok: failure == nil, problem: failure?.message))
            if let failure { failures.append(failure) }
        }
        try output.result(entries) {
            Table(entries.map { ["share \($0.index)", $0.location, $0.problem ?? "ok"] }).text
        }
        if let first = failures.first {
            throw Failure(
                code: first.code, name: first.name,
                message: "\(failures.count) of \(entries.count) shares cannot be used", hint: nil)
        }
    }
}
