internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import ErrorTexts
internal import Ethereum
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct ContactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact", abstract: "Name the people that a wallet pays.",
        discussion: """
            A contact is known: an address that only looks like a contact's is refused, and policies can tell known \
            people from new ones. Contacts are sealed in the wallet's book, so that they can be changed only with the \
            passphrase.
            """,
        subcommands: [ContactAdd.self, ContactList.self, ContactRemove.self])
}

struct ContactAdd: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give an address a name.",
        discussion: """
            Compare the whole address with what the person gave you, not its ends.

            EXAMPLES
              fueki contact add savings anna 0x52908400098527886E0F7030069857D2E4169EE7
              fueki send savings --chain ethereum --to anna --amount 0.1eth
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The name that you give.")
    var contact: String

    @Argument(help: "An address of Bitcoin, on the wallet's network, or of Ethereum.")
    var address: String

    @Option(
        help: .value(
            "address",
            "An address that this one looks like, and is not: you have compared them, after you paid a mistyped one."))
    var unlike: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let party = try Self.party(address, of: wallet)
        let other: Party? = if let unlike { try Self.party(unlike, of: wallet) } else { nil }
        if address.hasPrefix("0x"), let checksum = try? EthereumAddress.read(address).checksum, checksum == .absent {
            output.note(
                "warning: the letters are all of one case, so that nothing tells a mistyped digit: compare all 40")
        }
        let added = try attempt { () throws(CustodyError) in try Contact(name: contact, party: party) }
        try await passphrase.withBook(of: wallet, in: global) { (book) throws(CustodyError) in
            try await book.add(added, unlike: other)
        }
        let view = ContactView(added)
        try output.receipt(view) { "\(view.name) is \(view.address)" }
    }

    private static func party(_ address: String, of wallet: WalletRecord) throws(Failure) -> Party {
        if address.hasPrefix("0x") {
            return .ethereum(try attemptAddress(address) { () throws(EthereumError) in try EthereumAddress(address) })
        }
        return .bitcoin(
            try attemptAddress(address) { () throws(BitcoinError) in
                try Address<Unchecked>(address).require(wallet.network)
            })
    }
}

struct ContactList: FuekiCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List a wallet's contacts.")

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let contacts = try await passphrase.withBook(of: wallet, in: global) {
            (book) throws(CustodyError) in await book.contacts()
        }
        let views = contacts.map(ContactView.init)
        try output.result(views) {
            views.isEmpty ? "no contacts" : Table(views.map { [$0.name, $0.chain, $0.address] }).text
        }
    }
}

struct ContactRemove: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a contact.",
        discussion: "The wallet still knows that the address was paid, without a name.")

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The contact's name.")
    var contact: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let name = contact
        try await passphrase.withBook(of: wallet, in: global) { (book) throws(CustodyError) in
            try await book.removeContact(named: name)
        }
        try output.receipt(RemovedContactView(name))
    }
}
