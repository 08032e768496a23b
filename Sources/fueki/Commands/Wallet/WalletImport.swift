internal import ArgumentParser
internal import Ceremonies
internal import Custody
internal import ErrorTexts
internal import HDKeys
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Time
internal import Wallet
internal import WalletBooks

struct WalletImport: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a wallet of the keys of a mnemonic, with the addresses that it has.",
        discussion: """
            Reads the words (BIP-39) from a file, deals the keys of one account into shares, and keeps nothing of the words. \
            The wallet signs with its shares as every other does, and its addresses stay.

            But the key was whole: every copy of the words can still spend the coins, and no share protects from that. \
            'fueki wallet create' and then 'fueki wallet sweep' move the coins to a key that never was whole. Import \
            where the addresses have to stay: others pay to them, or coins are locked. Then keep the words in a safe \
            place.

            Bitcoin: the taproot key is BIP-86's m/86'/0'/N' (bc1p…), the SegWit key is BIP-84's m/84'/0'/N' (bc1q…); N is \
            --account. Addresses that begin with 1 or 3 are not imported. Ethereum (--chain ethereum): the accounts \
            m/44'/60'/N'/0/0, 0/1 and so on. You need one wallet for each chain and account of the words. Do not use a wallet's \
            addresses on the other chain: other software with the words does not show them, and who has the words finds \
            their keys anyway.

            EXAMPLES
              fueki wallet import old --network mainnet --backup-dir /media/usb \\
                  --recovery-dir /media/safe
              fueki wallet import old --mnemonic-file words.txt --network mainnet \\
                  --backup-dir /media/usb --recovery-dir /media/safe
              fueki wallet import old-ether --mnemonic-file words.txt \\
                  --chain ethereum --network mainnet \\
                  --backup-dir /media/usb --recovery-dir /media/safe
            """)

    @Argument(help: "A name for the wallet: letters, digits, '.', '_' and '-'.")
    var name: String

    @OptionGroup var mnemonic: MnemonicOptions

    @Option(help: .value("number", "Which account of the words, from 0."))
    var account: UInt32 = 0

    @OptionGroup var chain: ChainOption
    @OptionGroup var options: NewWalletOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard account < 1 << 31 else { throw ValidationError("--account is at most \(Int32.max)") }
        try SecretFiles.requireOneStandardInput([
            mnemonic.mnemonicFile, mnemonic.mnemonicPassphraseFile, options.passphrase.passphraseFile,
        ])
    }

    func perform(_ output: Output) async throws(Failure) {
        let creation = try await options.creation(of: name, in: global.walletHome, output)
        let keys = try keys()
        let secret = try options.newPassphrase(of: name, output)
        let wallet: WalletRecord
        do {
            wallet = try await creation.run(
                importing: keys, passphrase: secret, random: SystemRandom(), now: Timestamp.now().seconds
            ) { step in output.progress(step.text) }
        } catch { throw error.failure }
        await global.walletHome.log(.importing, of: wallet, passphrase: secret, output)
        let places = PlaceAdvice(wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        let view = try NewWalletView(
            imported: wallet, chain.chain == .bitcoin ? [.taproot, .segwit] : [.ethereum], places,
            isRecoveryHere: options.recoveryDir == nil, version: Version.text)
        try output.receipt(view.result) { view.importedText }
    }

    private func keys() throws(Failure) -> ImportedPrivateKeys {
        let seed = try mnemonic.seed()
        let chain: ImportedPrivateKeys.Chain = chain.chain == .bitcoin ? .bitcoin : .ethereum
        return try attempt { () throws(HDKeyError) in
            try ImportedPrivateKeys(seed: seed, for: chain, account: account, on: options.network)
        }
    }
}
