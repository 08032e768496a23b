internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

struct WalletDelete: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove a wallet from this machine; share files elsewhere stay.",
        discussion: """
            Removes the wallet's description, the share in its folder, and its book: policy, contacts and history ('book \
            export' and 'policy show --file' keep them). The share files in other places stay, and bring the wallet back with \
            'wallet restore'; who has enough of them can sign. Its limits begin anew then.

            It is refused while another command has the wallet open, while payments are on their way or their results \
            untold, and where the other share files cannot be reached. --despite names the risks that you accept.

            EXAMPLES
              fueki wallet delete savings
              fueki wallet delete savings --expect savings --despite payments

            A wallet whose 'create' or 'import' was interrupted never came to be: its files are removed, the shares in \
            other places as well, and no passphrase is asked for.
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: .value("name", "Do not ask; the wallet's name confirms it."))
    var expect: String?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Option(
        help: .value(
            "obstacle", "Delete it despite: few-shares, payments, results, proposals, renewal. Once for each."),
        completion: .list(Self.words))
    var despite: [String] = []

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private var isAsked: Bool { !yes && expect == nil }

    private static let words = DeletionObstacle.words

    func validate() throws {
        guard expect == nil || expect == wallet.name else {
            throw ValidationError("--expect is the name of the wallet that is to be deleted, '\(wallet.name)'")
        }
        for word in despite where !Self.words.contains(word) {
            throw ValidationError("--despite takes \(Self.words.joined(separator: ", ")), and not '\(word)'")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        // An earlier deletion may have been interrupted after it removed the wallet.
        var kept: [(WalletName, SettingsFault)] = []
        let finished = try attempt { () throws(CustodyError) in
            try global.walletHome.finishDeletions { kept.append(($0, $1)) }
        }
        if finished.contains(wallet.name), (try? global.wallet(named: wallet.name)) == nil {
            try output.receipt(FinishedDeletionView(wallet: wallet.name))
            return warn(of: kept, output)
        }
        if let name = try? WalletName(wallet.name),
            let unfinished = try attempt({ () throws(CustodyError) in
                try global.walletHome.unfinishedCreation(of: name)
            })
        {
            return try clear(unfinished, output)
        }
        let record = try global.wallet(named: wallet.name)
        let deletion = WalletDeletion(of: record, in: global.walletHome)
        let secret = try passphrase.existing()
        let view = try await global.walletHome.withBook(of: record, passphrase: secret) { (book) throws(Failure) in
            let obstacles = try await attempt { () async throws(CustodyError) in
                try await book.requirePassphrase()
                return try await deletion.obstacles(in: book)
            }
            let accepted = obstacles.filter { $0.isNamed(by: despite) }
            guard accepted == obstacles else {
                throw CustodyError.notDeleted(obstacles.filter { !accepted.contains($0) }).failure
            }
            let view = DeletionView(deletion, despite: accepted)
            if isAsked {
                guard
                    try Confirmation.typed(
                        wallet.name, "To delete it, type its name", about: view.question(in: .ofTerminal),
                        insteadUse: "--yes, or --expect \(wallet.name)")
                else { throw .cancelled() }
            }
            let fault = try await attempt { () async throws(CustodyError) in
                try await deletion.run(holding: book, despite: Set(accepted))
            }
            if let fault { kept.append((record.name, fault)) }
            return view
        }
        try output.receipt(view)
        warn(of: kept, output)
    }

    /// Removes the rest of an interrupted creation. It asks for no passphrase, because the rest is useless.
    private func clear(_ unfinished: UnfinishedCreation, _ output: Output) throws(Failure) {
        let view = UnfinishedCreationView(unfinished)
        if isAsked, try !Confirmation.ask("Remove them?", about: view.subject, insteadUse: "--yes") {
            throw .cancelled()
        }
        let away = try attempt { () throws(CustodyError) in try unfinished.clear() }
        for share in away {
            output.note("warning: a useless share of the interrupted creation may be at \(share.path); destroy it")
        }
        try output.result(view)
    }

    /// Warns of settings that could not be removed. The wallets are already deleted and the result is printed.
    private func warn(of kept: [(WalletName, SettingsFault)], _ output: Output) {
        for (name, fault) in kept {
            output.note("warning: the settings of '\(name)' stay: \(fault.failure.message)")
        }
    }
}
