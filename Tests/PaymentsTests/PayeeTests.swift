internal import Amounts
import Bitcoin
import Custody
internal import DisplayText
import Ethereum
import HDKeys
import Testing
internal import WalletBooks

@testable import Payments
@testable import Wallet

@Suite("Who is paid, and how much")
struct PayeeTests {
    private static let bitcoin = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
    private static let account = "0x52908400098527886E0F7030069857D2E4169EE7"

    @Test("one payee with an amount, or several with theirs")
    func payees() throws {
        #expect(try NamedPayee.read(["anna"], amount: "1btc") == [NamedPayee(name: "anna", amount: "1btc")])
        #expect(
            try NamedPayee.read(["a=b=1sat", "ben=all"], amount: nil)
                == [NamedPayee(name: "a=b", amount: "1sat"), NamedPayee(name: "ben", amount: "all")])
    }

    @Test(
        "a payment that lacks a payee or an amount, or has one too many, is refused",
        arguments: [
            ([], nil, .nobody), (["anna"], nil, .amountMissing), (["anna="], nil, .amountMissing),
            (["=1sat"], nil, .amountMissing), (["anna=1sat", "ben"], nil, .amountMissingOf("ben")),
            (["anna", "ben"], "1sat", .amountForSeveral(["anna", "ben"])),
            (["bitcoin:\(bitcoin)", "ben"], nil, .amongOthers), (["bitcoin:\(bitcoin)"], nil, .noAmount),
            (["bitcoin:\(bitcoin)?amount=1"], "1btc", .amountTwice),
        ] as [([String], String?, PaymentRequestFault)])
    func refused(texts: [String], amount: String?, fault: PaymentRequestFault) {
        #expect(throws: fault) { try NamedPayee.read(texts, amount: amount) }
    }

    @Test("a request says whom to pay and how much")
    func request() throws {
        #expect(
            try NamedPayee.read(["bitcoin:\(Self.bitcoin)?amount=0.5"], amount: nil).map(\.name) == [Self.bitcoin])
        let tokens = "ethereum:\(Self.account)@1/transfer?address=\(Self.account)&uint256=25"
        #expect(try NamedPayee.read([tokens], amount: nil).first?.smallest?.description == "25")
    }

    @Test("a request is paid only on its chain and with its token")
    func chains() throws {
        let bitcoin = try #require(try PaymentRequest("bitcoin:\(Self.bitcoin)"))
        try bitcoin.check(on: .bitcoin, token: nil)
        #expect(throws: PaymentRequestFault.forBitcoin) { try bitcoin.check(on: .ethereum(.ethereum), token: nil) }
        let ether = try #require(try PaymentRequest("ethereum:\(Self.account)@1"))
        let base = try #require(ChainID(keyword: "base"))
        try ether.check(on: .ethereum(.ethereum), token: nil)
        #expect(throws: PaymentRequestFault.forChain(.ethereum, chosen: nil)) {
            try ether.check(on: .bitcoin, token: nil)
        }
        #expect(throws: PaymentRequestFault.forChain(.ethereum, chosen: base)) {
            try ether.check(on: .ethereum(base), token: nil)
        }
        let token = try EthereumAddress(Self.account)
        #expect(throws: PaymentRequestFault.forCoins) { try ether.check(on: .ethereum(.ethereum), token: token) }
        let tokens = try #require(
            try PaymentRequest("ethereum:\(Self.account)@1/transfer?address=\(Self.account)&uint256=25"))
        try tokens.check(on: .ethereum(.ethereum), token: token)
        #expect(throws: PaymentRequestFault.forToken(token)) {
            try tokens.check(on: .ethereum(.ethereum), token: nil)
        }
    }

    @Test("the words of a request cannot break a line, and are cut")
    func words() throws {
        let long = String(repeating: "a", count: 500)
        let request = try #require(try PaymentRequest("bitcoin:\(Self.bitcoin)?label=a%0Ab&message=\(long)"))
        #expect(request.words.count == 2)
        #expect(request.words.allSatisfy { !$0.description.contains("\n") && $0.description.count < 300 })
    }

    @Test("an address of another network and a text that is not an address give different errors")
    func networks() {
        #expect(
            throws: PayeeFault.otherNetwork([.mainnet], wallet: .regtest)
        ) {
            try NamedRecipient("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", on: .regtest)
        }
        let account = Self.account
        #expect {
            try NamedRecipient(account, on: .regtest)
        } throws: { error in
            guard case .notAnAddress(account, _)? = error as? PayeeFault else { return false }
            return true
        }
    }

    @Test("a contact is paid at the address in the book, on its own chain only")
    func contacts() throws {
        let address = try Address<Unchecked>(Self.bitcoin).require(.regtest)
        let contacts = [
            try Contact(name: "anna", party: .bitcoin(address)),
            try Contact(name: "ben", party: .ethereum(EthereumAddress(Self.account))),
        ]
        #expect(try NamedRecipient("anna", on: .regtest).address(among: contacts, on: .regtest) == address)
        #expect(throws: PayeeFault.noAddress(contact: "ben", on: .bitcoin(.regtest))) {
            try NamedRecipient("ben", on: .regtest).address(among: contacts, on: .regtest)
        }
        #expect(throws: PayeeFault.noSuchContact("cleo")) {
            try NamedRecipient("cleo", on: .regtest).address(among: contacts, on: .regtest)
        }
        let anna = try NamedRecipient<EthereumAddress>.read("anna").recipient
        #expect(throws: PayeeFault.noAccount(contact: "anna")) { try anna.address(among: contacts) }
    }

    @Test("an address of Ethereum in one case is paid with a finding, and one with a wrong checksum is not")
    func checksum() throws {
        #expect(try NamedRecipient<EthereumAddress>.read(Self.account).finding == nil)
        let lower = Self.account.lowercased()
        #expect(try NamedRecipient<EthereumAddress>.read(lower).finding == .oneCase(lower))
        let wrong = "0x52908400098527886e0F7030069857D2E4169EE7"
        #expect(throws: PayeeFault.badChecksum(wrong)) { try NamedRecipient<EthereumAddress>.read(wrong) }
        #expect(throws: PayeeFault.malformedAccount("0x12")) { try NamedRecipient<EthereumAddress>.read("0x12") }
    }

    @Test("ranges of indices are read as they were written")
    func ranges() {
        #expect(AddressReach.ranges(["5", "1000-1010"]) == [5...5, 1000...1010])
        for text in ["", "-", "1-", "2-1", "1-2-3", "2147483648", "a"] { #expect(AddressReach.ranges([text]) == nil) }
    }

    @Test("payees of Bitcoin are read before the book is opened, and contacts found in it")
    func bitcoinPayees() throws {
        let script = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
        let anna = try Contact(name: "anna", party: .bitcoin(try #require(Address<Checked>(script, on: .regtest))))
        let named = try BitcoinPayees(
            [NamedPayee(name: Self.bitcoin, amount: "1500sat"), NamedPayee(name: "anna", amount: "all")], on: .regtest)
        let order = try named.order(among: [anna], key: nil)
        #expect(order.recipients.map { "\($0.address)" }.first == Self.bitcoin)
        #expect(order.recipients.map(\.share) == [.exactly(try Amount(satoshis: 1_500)), .everythingLeft])
        #expect(throws: PaymentError.payee(.noSuchContact("anna"))) { try named.order(among: [], key: nil) }
    }

    @Test(
        "an amount without a unit, of another coin or above all bitcoin is refused",
        arguments: [("1", .malformed), ("1eth", .otherUnit), ("22000000btc", .outOfRange)] as [(String, AmountError)])
    func badAmount(text: String, error: AmountError) {
        #expect(throws: PayeeFault.badAmount(error, on: .bitcoin)) {
            try BitcoinPayees([NamedPayee(name: Self.bitcoin, amount: text)], on: .regtest)
        }
    }

    @Test("the whole balance, and an amount without a unit, are no orders of an Ethereum coin")
    func ethereumPayee() throws {
        func read(_ amount: String, isToken: Bool = false) throws {
            _ = try EthereumPayee(
                NamedPayee(name: Self.account, amount: amount), on: .ethereum, isToken: isToken)
        }
        try read("0.1eth")
        try read("25", isToken: true)
        #expect(throws: PayeeFault.allOnEthereum) { try read("all") }
        #expect(throws: PayeeFault.badAmount(.malformed, on: .ethereum(.ethereum))) { try read("25") }
        #expect(throws: PayeeFault.badChecksum(Self.account.replacing("E", with: "e"))) {
            _ = try EthereumPayee(
                NamedPayee(name: Self.account.replacing("E", with: "e"), amount: "1eth"), on: .ethereum, isToken: false)
        }
    }
}
