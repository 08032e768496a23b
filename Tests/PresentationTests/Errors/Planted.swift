import Bitcoin
import Custody
import DisplayText
import Ethereum
import Threshold

/// Values that occur in no text of the program: a text that contains one has it from the error.
enum Planted {
    /// The mark in every planted text.
    static let mark = "zq"

    static let wallet = "zqwallet"
    static let share = "zqshare"
    static let contact = "zqcontact"
    static let key = "zqkey"
    static let path = "/zq/folder/share.fueki"
    static let folder = "/zq/folder"
    static let id = "zq5e1d0a"
    static let otherID = "zq7f3c2b"
    static let words = SanitizedText("zqwords of a node", limit: 100, lines: .one)
    static let digest = Array("zqdigest of 32 bytes, not fewer.".utf8)

    static func text(_ name: String) -> String { mark + name }
    static func index(_ value: Int = 3) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    static func walletName() throws -> WalletName { try WalletName(wallet) }
    static func coin() throws -> OutPoint { try OutPoint(String(repeating: "5e1d", count: 16) + ":7") }
    static func transaction() throws -> TransactionID { try TransactionID(String(repeating: "7f3c", count: 16)) }
    static func account() throws -> EthereumAddress { try EthereumAddress(bytes: [UInt8](repeating: 0xB7, count: 20)) }
}
