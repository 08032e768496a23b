import Bitcoin
import Custody
import Ethereum
import HDKeys
import Nodes
import Payments
import Testing
import Texts
import Wallet

@testable import ErrorTexts
@testable import Presentation

@Suite("Errors in words")
struct ErrorTests {
    @Test(
        "a failure keeps its word and its exit code, which scripts rely on",
        arguments: [
            (CustodyError.badWalletName, Failure.Code.usage, "usage"),
            (.walletExists(name: "savings"), .unwritable, "wallet_exists"),
            (.noSuchWallet(name: "savings"), .missing, "no_such_wallet"),
            (.wallet(.badApproval), .malformed, "bad_approval"),
            (.noSuchShare(name: "attic"), .usage, "no_such_share"),
            (.malformedRecord, .malformed, "malformed_record"),
        ] as [(CustodyError, Failure.Code, String)])
    func words(error: CustodyError, code: Failure.Code, name: String) {
        #expect(error.failure.code == code)
        #expect(error.failure.name == name)
    }

    @Test("the payment's error has the words of the error that it wraps")
    func wrapped() throws {
        let coin = try OutPoint(String(repeating: "ab", count: 32) + ":1")
        let failure = PaymentError.coin(.frozen(coin)).failure
        #expect(failure.name == "coin_frozen")
        #expect(failure.message.contains(coin.description))
        #expect(failure.message == Failure.frozen(coin).message)
    }

    @Test("a costly finding is named once in the hint, however often it was found")
    func namedOnce() {
        let costs = [
            Finding("large_fee", "the fee is large", .costly), Finding("large_fee", "the fee is large", .costly),
            Finding("first_payment", "nobody was paid there", .costly),
        ]
        let failure = Failure.notAccepted(costs, by: "--yes")
        #expect(failure.hint == "to accept this, add --accept large_fee,first_payment")
    }

    @Test("an error after signing has the transaction's identifier, and keeps it when the intent is added")
    func details() throws {
        let failure = Failure(code: .unavailable, name: "sent_not_seen", message: "sent", id: "ab")
        #expect((failure.details as? SigningDetails)?.id == "ab")
        #expect((failure.after(signing: "cd", nil).details as? SigningDetails)?.id == "cd")
    }

    @Test("an address of another network and a mistyped one give different errors")
    func addresses() {
        func message(_ text: String, on network: Network) -> String? {
            do throws(Failure) {
                _ = try attemptAddress(text) { () throws(BitcoinError) in try Address<Unchecked>(text).require(network)
                }
                return nil
            } catch { return error.message }
        }
        let address = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"
        #expect(message(address, on: .testnet) == nil)
        #expect(message(address, on: .mainnet) == "this is an address of another network")
        #expect(
            message(String(address.dropLast()), on: .testnet)
                == "this address has 41 characters, and one that begins like this has 42 or 62")
        #expect(
            message("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", on: .mainnet)
                == "this is not an address, or one character of it is wrong")
    }

    @Test("a mistyped address is drawn with a mark below the wrong letters, and never with the right ones")
    func marks() {
        let failure = failure("bc1qw508d6qejztdg4y5r3zarvary0c5xw7kv8f3t5")
        #expect(
            failure?.text(columns: 80) == """
                this address is mistyped, probably where it is marked
                  bc1q w508 d6qe jztd g4y5 r3za rvar y0c5
                                  ^
                  xw7k v8f3 t5
                             ^
                """)
        #expect(
            failure?.text(columns: 40) == """
                this address is mistyped, probably where it is marked
                  bc1q w508 d6qe jztd
                                  ^
                  g4y5 r3za rvar y0c5
                  xw7k v8f3 t5
                             ^
                """)
        #expect(failure?.hint?.contains("original") == true)
        // No part of the right address that the mistyped one does not have.
        for text in [failure?.text(columns: 80), failure?.hint, failure?.message] {
            #expect(text?.contains("jxtd") == false && text?.contains("t4") == false)
        }
        #expect((failure?.details as? AddressFaultDetails)?.address.offsets == [13, 41])
    }

    @Test("what is no letter of an address cannot reach the terminal")
    func foreignCharacters() {
        let failure = failure("bc1qw508d6q\u{1B}[31mtdg4y5r3zarvary0c5xw7kv8")
        #expect(failure?.text(columns: 80).contains("\u{1B}") == false)
        #expect(failure?.text(columns: 80).contains("d6q\u{FFFD} [31m") == true, "\(failure?.text(columns: 80) ?? "")")
    }

    @Test("of an address of Ethereum is said that its letters do not match, and not how they would")
    func capitals() {
        let text = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"
        do throws(Failure) {
            _ = try attemptAddress(text) { () throws(EthereumError) in try EthereumAddress(text) }
            Issue.record("read")
        } catch {
            #expect(error.message.contains("do not match") && error.name == "bad_checksum")
            #expect(error.figure == nil && !error.message.contains("0x"))
        }
    }

    private func failure(_ text: String) -> Failure? {
        do throws(Failure) {
            _ = try attemptAddress(text) { () throws(BitcoinError) in try Address<Unchecked>(text) }
            return nil
        } catch { return error }
    }
}
