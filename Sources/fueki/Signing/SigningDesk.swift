internal import Custody
internal import Encoding
internal import Foundation
internal import Secrets
internal import Wallet

/// Where a command has something signed: the passphrase is there, the shares are still closed.
///
/// Whatever is signed goes this way: shown, decided, confirmed, signed by each holder for itself.
struct SigningDesk: ~Copyable {
    let wallet: WalletRecord
    private let options: SigningOptions
    private let home: WalletHome
    private let output: Output
    private let locations: [ShareLocation]
    private let passphrase: SecretBytes

    /// Asks for the passphrase.
    static func open(
        _ wallet: WalletRecord, _ options: SigningOptions, _ global: GlobalOptions, _ output: Output
    ) async throws(Failure) -> SigningDesk {
        let locations = try options.locations(of: wallet)
        return SigningDesk(
            wallet: wallet, options: options, home: global.walletHome, output: output, locations: locations,
            passphrase: try options.passphrase.existing())
    }

    private init(
        wallet: WalletRecord, options: SigningOptions, home: WalletHome, output: Output, locations: [ShareLocation],
        passphrase: consuming SecretBytes
    ) {
        self.wallet = wallet
        self.options = options
        self.home = home
        self.output = output
        self.locations = locations
        self.passphrase = passphrase
    }

    /// The names of the shares that sign.
    var shares: [String] { locations.map(\.name) }

    /// Shows what signing this does, asks, opens the shares, and has their holders sign.
    ///
    /// - Parameter node: what a node says about it, where one was asked.
    func sign(
        _ payload: SigningPayload, node: NodeView?
    ) async throws(Failure) -> (signed: SignedPayload, view: IntentView) {
        let now = UInt64(max(0, Date().timeIntervalSince1970))
        let situation = Situation(now: now, history: [], known: [], proposed: nil, approvers: [], node: node)
        let proposed = try attempt { () throws(CustodyError) in
            try ProposedPayload(payload, from: wallet, in: situation)
        }
        let view = IntentView(proposed, of: wallet)
        let confirmed = try confirm(proposed, view)

        let warden = PolicyWarden(now: now)
        var holders: [any Holder] = []
        for location in locations {
            output.progress("opening the \(location.name) share")
            holders.append(try await holder(location, for: confirmed, warden))
        }
        output.progress("signing with \(shares.joined(separator: " and "))")
        let signed = try await attempt { () async throws(CustodyError) in
            try await confirmed.sign(with: holders, random: SystemRandom())
        }
        return (signed, view)
    }

    /// What went wrong when the signatures were there, told.
    func warnings(of signed: SignedPayload) -> [String] {
        let warnings = signed.warnings.map { "the signatures are good, but \($0.failure.message)" }
        for warning in warnings { output.note("warning: \(warning)") }
        return warnings
    }

    /// Opens one share. For ECDSA its file stays open, to write into it what must not be forgotten.
    private func holder(
        _ location: ShareLocation, for confirmed: ConfirmedPayload, _ warden: any SigningWarden
    ) async throws(Failure) -> SigningHolder {
        do throws(CustodyError) {
            guard confirmed.needsLedgers else {
                return try await home.open(location, of: wallet, passphrase: passphrase)
                    .holder(confirmed: confirmed.digest, warden: warden, ledger: nil, random: SystemRandom())
            }
            let file = try await ShareFile.open(
                location, of: wallet, in: home, passphrase: passphrase, random: SystemRandom())
            return try await file.share()
                .holder(confirmed: confirmed.digest, warden: warden, ledger: file, random: SystemRandom())
        } catch { throw error.failure }
    }

    /// Shows what will be signed, and asks; or compares it with what was shown before.
    private func confirm(_ proposed: ProposedPayload, _ view: IntentView) throws(Failure) -> ConfirmedPayload {
        var digest = proposed.intent.digest
        if let expect = options.expect {
            guard let expected = try? Hex.decode(expect.lowercased()) else {
                throw .usage("--expect takes the digest that was shown")
            }
            digest = expected
        }
        // Nobody is asked about what will not be signed anyway. The question shows it all itself.
        let isQuestion = !options.yes && options.expect == nil && proposed.decision.verdict == .allowed
        if !isQuestion { output.note(view.text + "\n") }
        let confirmed = try attempt { () throws(CustodyError) in try proposed.confirmed(digest) }
        // `--yes` is written before anybody has seen it; a digest is taken from what somebody has seen.
        if options.yes, options.expect == nil,
            let warning = proposed.intent.remarks.first(where: { $0.weight == .costly })
        {
            throw .needsConfirmation(of: warning.text)
        }
        if isQuestion, try !Confirmation.ask("Sign this?", about: view.text, insteadUse: "--yes, or --expect DIGEST") {
            throw .declined()
        }
        return confirmed
    }
}
