import Bitcoin
import Ceremonies
import Encoding
import Ethereum
import Foundation
import HDKeys
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Which wallet and which shares sign")
struct WalletChoiceTests {
    private static let unsigned =
        "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080"

    @Test("a payload is taken from binary and hexadecimal text alike, with or without 0x and line break")
    func forms() throws {
        let bytes = try Hex.decode(Self.unsigned)
        for form in [bytes, Array(Self.unsigned.utf8), Array("0x\(Self.unsigned)\n".utf8)] {
            guard case .ethereum(let transaction, nil) = try PayloadFile(decoding: form) else {
                Issue.record("no transaction without sender")
                continue
            }
            #expect(transaction.nonce == 9)
        }
    }

    @Test("an invalid payload is refused", arguments: ["", "{", "cHNidP", "70736274ff", "0x00", "hello"])
    func malformed(text: String) {
        #expect {
            try PayloadFile(decoding: Array(text.utf8))
        } throws: { error in
            if case .wallet = error as? CustodyError { true } else { false }
        }
    }

    @Test("the only wallet is chosen, and a name is asked for where there are several or none")
    func only() async throws {
        let house = try WalletHomeFixture()
        let file = try PayloadFile(decoding: Hex.decode(Self.unsigned))
        func choice(_ home: WalletHome, _ name: String? = nil) throws -> WalletChoice {
            try WalletChoice(
                for: file, in: home, named: name.map { try WalletName($0) }, account: 3, searching: 20)
        }
        #expect(throws: WalletChoiceFault.noneFits) { try choice(house.home) }
        _ = try await house.creation("a").run()
        let chosen = try choice(house.home)
        #expect(chosen.wallet.name.description == "a")
        guard case .ethereumTransaction(_, account: 3) = chosen.payload else {
            Issue.record("the account that was named signs")
            return
        }
        _ = try await house.creation("b").run()
        #expect(throws: WalletChoiceFault.severalFit) { try choice(house.home) }
        #expect(try choice(house.home, "b").wallet.name.description == "b")
        #expect(throws: WalletChoiceFault.custody(.noSuchWallet(name: "c"))) { try choice(house.home, "c") }
    }

    @Test("the default signers are the first shares that are there, and the first of all where too few are")
    func signers() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        #expect(wallet.presentShares.count == 3)
        #expect(wallet.defaultSigners == [.device, .backup])
        try FileManager.default.removeItem(atPath: "\(house.path)/backup")
        #expect(wallet.presentShares.map(\.location) == [.device, .recovery])
        #expect(wallet.defaultSigners == [.device, .recovery])
        try FileManager.default.removeItem(atPath: "\(house.path)/recovery")
        #expect(wallet.defaultSigners == [.device, .backup])
    }

    @Test("as many different shares as the threshold are named")
    func named() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        #expect(try wallet.signers(named: "backup,device") == [.backup, .device])
        #expect(throws: CustodyError.noSuchShare(name: "attic")) { try wallet.signers(named: "device,attic") }
        #expect(throws: CustodyError.ceremony(.wrongNumberOfShares(needed: 2, given: 1))) {
            try wallet.signers(named: "device,device")
        }
        #expect(throws: CustodyError.ceremony(.wrongNumberOfShares(needed: 2, given: 3))) {
            try wallet.signers(named: "device,backup,recovery")
        }
    }

    @Test("an address of the wallet is found, and a stranger's is not")
    func addresses() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let own = try wallet.address(.segwit, at: .receive, index: 7)
        let address = try Address<Unchecked>(own.address).require(.regtest)
        #expect(try wallet.label(of: address) == AddressLabel(.segwit, at: try AddressPath(.receive, index: 7)))
        let account = try EthereumAddress(wallet.address(.ethereum, at: .receive, index: 2).address)
        #expect(try wallet.number(of: account, among: 0..<20 as Range<UInt32>) == 2)
        #expect(try wallet.number(of: account, among: 3..<20 as Range<UInt32>) == nil)
    }

    @Test("a share that is missing says whether its folder is there")
    func missing() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = "\(house.path)/backup/fueki-w-backup.vault"
        func fault(_ place: MissingPlace) -> CustodyError { .share(.backup, .missing(path: path, place: place)) }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: fault(.folderIsThere)) { try wallet.requireFiles(of: [.backup]) }
        try FileManager.default.removeItem(atPath: "\(house.path)/backup")
        #expect(throws: fault(.noFolder)) { try wallet.requireFiles(of: [.backup]) }
    }
}
