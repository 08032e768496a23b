internal import ArgumentParser
internal import Ethereum
internal import Terminal
internal import Texts
internal import Wallet

struct SignMessageCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-message",
        abstract: "Sign a message with one of a wallet's addresses.",
        discussion: """
            Bitcoin: BIP-322, by the address of --type and --index. Ethereum: a personal message (EIP-191), by --account. On \
            both, --address names the one that signs instead. What is signed can never be a transaction. Read the message: your name stands \
            under it.

            The signature is printed, and nothing else. 'fueki verify-message' verifies it.

            EXAMPLES
              fueki sign-message savings --text 'I hold this' --type segwit --index 2
              fueki sign-message savings --text 'I hold this' --address 0x…
              fueki sign-message savings message.txt --chain ethereum
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var message: MessageArgument

    @Option(
        help: .value("chain", "The chain: bitcoin, or ethereum (default: that of --address, or else bitcoin)."),
        completion: .list(["bitcoin", "ethereum"]))
    var chain: ChainName?

    @OptionGroup var signer: MessageSignerOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try message.refuseSharing(with: signing.passphrase)
        let wallet = try global.wallet(named: wallet.name)
        let bytes = try message.bytes()
        let payload: SigningPayload
        switch chain ?? (signer.isOfEthereum ? .ethereum(.ethereum) : .bitcoin) {
        case .bitcoin: payload = .bitcoinMessage(bytes, by: try signer.bitcoin(of: wallet))
        // A personal message does not contain a chain ID: its signature is valid on all chains.
        case .ethereum:
            let account = try signer.ethereum(of: wallet)
            let read = try attempt { () throws(EthereumError) in try PersonalMessage(bytes: bytes) }
            payload = .personalMessage(read, account: account)
        }
        try await MessageSigning.perform(payload, wallet, signing, global, output)
    }
}

struct SignTypedDataCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-typed-data", abstract: "Sign a document of typed data (EIP-712) with shares of a wallet.",
        discussion: """
            What it permits is shown: who may take which tokens, and how many. A permit without limit, or for an \
            address that the wallet does not know, is not signed with --yes alone, and what cannot be decoded is not \
            signed unless the wallet's policy names it.

            The signature is printed, and nothing else. \(furtherOptions)

            EXAMPLE
              fueki sign-typed-data savings permit.json
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The document: JSON; '-' is standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: .value("number", "Which account on Ethereum signs, from 0."))
    var account: UInt32 = 0

    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        if file == "-", signing.passphrase.passphraseFile == "-" {
            throw .usage("the document and the passphrase cannot both come from standard input")
        }
        let wallet = try global.wallet(named: wallet.name)
        let document = try InputFile.read(file)
        let data = try attempt(on: file) { () throws(EthereumError) in try TypedData(decoding: document) }
        if let chain = data.domain.chain { try network.check(chain, for: wallet) }
        try await MessageSigning.perform(
            .typedData(data, document: document, account: account), wallet, signing, global, output,
            accepting: network.accepted)
    }
}
