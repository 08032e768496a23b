internal import ArgumentParser
internal import Custody
internal import Secrets
internal import Terminal

struct WalletCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Open every share of a wallet, and see that each is whole and belongs to the others.",
        discussion: """
            Changes no share. Do it now and then, with the sticks and disks in place: a share that does not open is found \
            out while there are others. What an interrupted renewal left behind is removed. The exit code is that of the \
            first share that cannot be used.

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
        /// What is wrong with its place.
        let warnings: [String]
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let secret = try passphrase.existing()
        try await tidy(wallet.name, secret, output)
        let places = PlaceAdvice(wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        var entries: [Entry] = []
        var failures: [Failure] = []
        for share in wallet.shares {
            output.progress("opening the \(share.location.name) share")
            var failure: Failure?
            var warnings = places.sentences(about: share.location)
            do {
                let sealed = try await global.walletHome.open(share.location, of: wallet, passphrase: secret)
                if let warning = UnfinishedAdvice.sentence(
                    on: sealed.counts, of: share.location, in: wallet.name)
                {
                    output.note("warning: \(warning)")
                    warnings.append(warning)
                }
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
                    index: share.index, location: share.location.name, ok: failure == nil, problem: failure?.message,
                    warnings: warnings))
            if let failure { failures.append(failure) }
        }
        try output.result(entries) {
            let table = Table(entries.map { ["share \($0.index)", $0.location, $0.problem ?? "ok"] }).text
            return ([table] + places.paragraphs(for: wallet.name)).joined(separator: "\n")
        }
        if let first = failures.first {
            // Typed wrong, it says nothing about the shares.
            if failures.count == entries.count, failures.allSatisfy({ $0.code == .wrongPassphrase }) { throw first }
            throw Failure(
                code: first.code, name: first.name,
                message: "\(failures.count) of \(entries.count) shares cannot be used", hint: nil)
        }
    }

    /// Removes what a renewal left behind: half a renewal, or old files in places that were not there.
    private func tidy(_ name: WalletName, _ secret: borrowing SecretBytes, _ output: Output) async throws(Failure) {
        let cleanup = RenewalCleanup(of: name, in: global.walletHome)
        guard try attempt({ () throws(CustodyError) in try cleanup.isNeeded() }) else { return }
        output.progress("removing what a renewal left behind")
        let remaining: [ShareRecord]
        do throws(CustodyError) { remaining = try await cleanup.remove(passphrase: secret) } catch {
            guard case .renewal(.unsettled) = error else { throw error.failure }
            // The check goes on, and tells of each share what is wrong with it.
            let failure = error.failure
            return output.note("warning: \(failure.message)" + (failure.hint.map { "\n         \($0)" } ?? ""))
        }
        for share in remaining {
            output.note(
                "warning: a file of another epoch may still be at \(share.path); 'wallet check' removes it when it is there"
            )
        }
    }
}
