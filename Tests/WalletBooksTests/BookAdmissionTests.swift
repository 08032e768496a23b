internal import Amounts
import Curves
import Foundation
import Secrets
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import Ethereum
@testable import HDKeys
@testable import Mnemonics
@testable import Wallet
@testable import WalletBooks

@Suite("The book admits intents, and counts them before they are signed")
struct BookAdmissionTests {
    private static let day: UInt64 = 86_400

    @Test("many small payments count as one large one; a day later the limit is free again, and not a second earlier")
    func manySmallOnes() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        for nonce in 0..<10 { try await book.admit(try Order.ether(1, nonce: UInt64(nonce))) }
        let next = try Order.ether(1, nonce: 10)
        #expect(try await book.verdict(on: next) == .denied)
        #expect(try await book.verdict(on: next, at: Order.noon + Self.day) == .denied)
        #expect(await book.history().count == 10)
        #expect(try await book.verdict(on: next, at: Order.noon + Self.day + 1) == nil)
        #expect(await book.history().count == 11)
    }

    @Test("an admission still counts after the book was closed and opened again")
    func lasts() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let digest = try await book.admit(try Order.ether(6, nonce: 0))
        await book.close()
        let again = try await books.open()
        #expect(await again.history().map(\.digest) == [digest])
        #expect(await again.history().map(\.state) == [.reserved])
        #expect(try await again.verdict(on: try Order.ether(5, nonce: 1)) == .denied)
    }

    @Test("two concurrent admissions do not both find room")
    func atOnce() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let orders = try (0..<6).map { try Order.ether(6, nonce: $0) }
        let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for order in orders { group.addTask { try await book.verdict(on: order) == nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 1)
        #expect(await book.history().count == 1)
    }

    @Test("each participant of a session asks, and the payment counts once")
    func onceForEachDigest() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let order = try Order.ether(6, nonce: 0)
        let intent = try book.meaning(of: order)
        let authorizer = book.authorizer(in: SigningContext(now: Order.noon))
        try await authorizer.admit(order, meaning: intent)
        try await authorizer.admit(order, meaning: intent)
        #expect(await book.history().count == 1)
        #expect(try await book.verdict(on: try Order.ether(4, nonce: 1)) == nil)
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 2)) == .denied)
    }

    @Test("a reservation is not kept: an intent not known to be signed counts from its next admission")
    func admittedLater() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let order = try Order.ether(6, nonce: 0)
        let digest = try await book.admit(order)
        let later = Order.noon + 2 * Self.day
        try await book.admit(order, at: later)
        #expect(await book.history().count == 1)
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 1), at: later) == .denied)
        // Once it is signed, signing it again gives away nothing more.
        try await book.note(.signed(id: "a", bytes: []), of: digest)
        try await book.admit(order, at: later + 2 * Self.day)
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 1), at: later + 2 * Self.day) == nil)
    }

    @Test("each admission is decided again, by the policy in force")
    func decidedAnew() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try Order.ether(6, nonce: 0)
        try await book.admit(order)
        try await book.setPolicy(BookFixture.policy(BookFixture.daily("0.5 ETH@ethereum:1")))
        #expect(try await book.verdict(on: order) == .denied)
    }

    @Test("payments signed under another policy, or none, count for the next one")
    func policyChange() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.admit(try Order.ether(6, nonce: 0))
        try await book.setPolicy(BookFixture.policy(BookFixture.daily("1.000001 ETH@ethereum:1")))
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 1)) == .denied)
        try await book.setPolicy(nil)
        try await book.setPolicy(BookFixture.policy(BookFixture.daily("1.000001 ETH@ethereum:1")))
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 1)) == .denied)
    }

    @Test("a clock that is turned back frees nothing, neither then nor when it is right again")
    func clockTurnedBack() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        try await book.admit(try Order.ether(4, nonce: 0))
        let past = Order.noon - 10 * Self.day
        try await book.admit(try Order.ether(4, nonce: 1), at: past)
        #expect(try await book.verdict(on: try Order.ether(3, nonce: 2), at: past) == .denied)
        #expect(try await book.verdict(on: try Order.ether(3, nonce: 2), at: Order.noon + 1) == .denied)
        // Each entry still records the time of the clock.
        #expect(await book.history().map(\.time) == [Order.noon, past])
    }

    @Test("an intent that no policy allows is not admitted, and an unreadable policy admits nothing")
    func refusals() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "all", "then": "allow"}"#)
        #expect(try await book.verdict(on: try Order.ether(1, to: .zero, nonce: 0)) == .denied)
        #expect(try await book.verdict(on: try Order.ether(0, nonce: 0)) == .denied)
        await book.close()
        try await books.forge("\(hex(books.wallet.walletID)).policy", Array(#"{"version": 2, "rules": []}"#.utf8))
        let again = try await books.open()
        let error = await failure { () async throws(CustodyError) in
            _ = try await again.verdict(on: .personalMessage(message, account: 0))
        }
        guard case .badPolicy = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await again.history().isEmpty)
    }

    private var message: PersonalMessage {
        guard let message = try? PersonalMessage("hello") else { preconditionFailure("five letters are a message") }
        return message
    }

    @Test("a failure frees its reservation; a signed payment can no longer fail")
    func failures() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let first = try await book.admit(try Order.ether(6, nonce: 0))
        try await book.note(.failed, of: first)
        #expect(await book.history().map(\.state) == [.failed])
        let second = try await book.admit(try Order.ether(6, nonce: 1))
        for outcome in [HistoryEntry.Outcome.signed(id: "b", bytes: [1]), .sent, .mined(height: 9)] {
            try await book.note(outcome, of: second)
            try await book.note(.failed, of: second)
            #expect(try await book.verdict(on: try Order.ether(6, nonce: 2)) == .denied)
        }
        #expect(await book.history().last?.state == .mined(height: 9))
        // A failed payment that is retried counts again; so does one that turns out to be signed after all.
        #expect(try await book.verdict(on: try Order.ether(6, nonce: 0)) == .denied)
        try await book.note(.signed(id: "a", bytes: []), of: first)
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 2)) == .denied)
        #expect(
            await failure { () async throws(CustodyError) in try await book.note(.sent, of: [1]) }
                == .book(.unknown))
    }

    @Test("only the session that made a reservation can release it")
    func failureOfAnother() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let order = try Order.ether(6, nonce: 0)
        let intent = try book.meaning(of: order)
        let session = book.authorizer(in: SigningContext(now: Order.noon))
        try await session.admit(order, meaning: intent)
        // The session's second participant.
        try await session.admit(order, meaning: intent)
        try await book.note(.failed, of: intent.digest)
        #expect(await book.history().map(\.state) == [.failed])

        // A session that ended without a known outcome, and one after it.
        try await session.admit(order, meaning: intent)
        try await book.authorizer(in: SigningContext(now: Order.noon + 1)).admit(order, meaning: intent)
        try await book.note(.failed, of: intent.digest)
        #expect(await book.history().map(\.state) == [.reserved])
        await book.close()

        // The same after a crash.
        let again = try await books.open()
        try await again.note(.failed, of: intent.digest)
        try await again.authorizer(in: SigningContext(now: Order.noon + 2)).admit(order, meaning: intent)
        try await again.note(.failed, of: intent.digest)
        #expect(await again.history().map(\.state) == [.reserved])

        // A payment that was signed and replaced has a signature.
        try await again.note(.signed(id: nil, bytes: []), of: intent.digest)
        try await again.note(.replaced, of: intent.digest)
        try await again.authorizer(in: SigningContext(now: Order.noon + 3)).admit(order, meaning: intent)
        try await again.note(.failed, of: intent.digest)
        #expect(await again.history().map(\.state) == [.replaced])
    }

    @Test("a session that was refused cannot release the reservation of the one in progress")
    func failureOfRefused() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try Order.ether(6, nonce: 0)
        let intent = try book.meaning(of: order)
        let context = SigningContext(now: Order.noon, plannedAfter: await book.lastNumber())
        let (first, second) = (book.authorizer(in: context), book.authorizer(in: context))
        try await first.admit(order, meaning: intent)
        let error = await custodyFailure { () async throws(CeremonyError) in
            try await second.admit(order, meaning: intent)
        }
        #expect(error == .book(.attemptedMeanwhile(id: nil)))
        try await second.noteFailure(of: intent.digest)
        #expect(await book.history().map(\.state) == [.reserved])
        try await first.noteFailure(of: intent.digest)
        #expect(await book.history().map(\.state) == [.failed])
    }

    @Test("a signature that could not be recorded is not taken back")
    func signedUnwritten() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let digest = try await book.admit(try Order.ether(6, nonce: 0))
        // A folder blocks the next write.
        let obstacle = try FolderMaker.making("\(books.fixture.home.folder(of: books.wallet.name))/.book.vault.tmp/x")
        try Data().write(to: URL(fileURLWithPath: obstacle))
        let error = await failure { () async throws(CustodyError) in
            try await book.note(.signed(id: nil, bytes: []), of: digest)
        }
        guard case .book(.notWritable) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try FileManager.default.removeItem(atPath: (obstacle as NSString).deletingLastPathComponent)
        try await book.note(.failed, of: digest)
        #expect(await book.history().map(\.state) == [.reserved])
    }

    @Test("an allowance counts as if it were spent; an unlimited one exhausts any limit")
    func allowances() async throws {
        let books = try BookFixture()
        let rules =
            BookFixture.daily("100 USDC")
            + #", {"name": "dex", "if": {"effect": "allowance", "unlimited": true}, "then": "allow"}"#
        let book = try await books.open(rules: rules)
        let spender = Order.bob
        func approve(_ units: UInt256, _ nonce: UInt64) throws -> SigningPayload {
            let data = ContractCall.approveData(spender: spender, amount: units)
            return try Order.ether(0, to: Order.token, nonce: nonce, data: data)
        }
        func pay(_ units: UInt256, _ nonce: UInt64) throws -> SigningPayload {
            let data = ContractCall.transferData(to: Order.bob, amount: units)
            return try Order.ether(0, to: Order.token, nonce: nonce, data: data)
        }
        try await book.admit(try approve(60_000_000, 0))
        #expect(try await book.verdict(on: try approve(60_000_000, 1)) == .denied)
        #expect(try await book.verdict(on: try pay(60_000_000, 1)) == .denied)
        #expect(try await book.verdict(on: try pay(40_000_000, 1)) == nil)
        let later = Order.noon + 2 * Self.day
        #expect(try await book.verdict(on: try pay(1, 2), at: later) == nil)
        #expect(try await book.verdict(on: try approve(.maximum, 3), at: later) == nil)
        #expect(try await book.verdict(on: try pay(1, 4), at: later) == .denied)
    }

    @Test("each increase of an allowance counts with what it adds; a decrease counts nothing")
    func increases() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("100 USDC"))
        func change(_ selector: [UInt8], _ units: UInt256, _ nonce: UInt64) throws -> SigningPayload {
            let spender = [UInt8](repeating: 0, count: 12) + Order.bob.bytes
            return try Order.ether(0, to: Order.token, nonce: nonce, data: selector + spender + units.bytes)
        }
        let (more, less): ([UInt8], [UInt8]) = ([0x39, 0x50, 0x93, 0x51], [0xA4, 0x57, 0xC2, 0xD7])
        try await book.admit(try change(more, 40_000_000, 0))
        try await book.admit(try change(less, 40_000_000, 1))
        try await book.admit(try change(more, 40_000_000, 2))
        #expect(try await book.verdict(on: try change(more, 20_000_001, 3)) == .denied)
        #expect(try await book.verdict(on: try change(more, 20_000_000, 3)) == nil)
        let kept = await book.history().flatMap(\.effects)
        #expect(kept.first == .increase(.token(Order.token), by: 40_000_000, to: .ethereum(Order.bob)))
        #expect(kept.dropFirst().first == .decrease(.token(Order.token), by: 40_000_000, to: .ethereum(Order.bob)))
    }

    @Test("a proposal shows a contract that the policy names as a token, and another one as tokens or things")
    func namedToken() throws {
        let wallet = try KnownWallet().record
        let data = ContractCall.transferData(to: Order.bob, amount: 5)
        let payload = try Order.ether(0, to: Order.token, nonce: 0, data: data)
        func asset(_ policy: Policy) throws -> [Asset?] {
            try ProposedPayload(payload, from: wallet, under: policy).intent.effects.map(\.asset)
        }
        let policy = try Policy(file: BookFixture.policy(#"{"name": "all", "then": "allow"}"#))
        #expect(try asset(policy) == [.token(Order.token)])
        #expect(try asset(.standard) == [.tokenOrItem(Order.token)])
    }

    @Test("a payment of tokens that an earlier version recorded as one is the same as the present one")
    func earlierTokens() {
        func payment(_ asset: Asset, _ amount: UInt256 = 5) -> [Effect] {
            [.payment(asset, amount: amount, to: .ethereum(Order.bob))]
        }
        let (token, either) = (Asset.token(Order.token), Asset.tokenOrItem(Order.token))
        #expect(payment(token).areTheSame(as: payment(either)) && payment(either).areTheSame(as: payment(token)))
        #expect(!payment(token).areTheSame(as: payment(either, 6)) && !payment(token).areTheSame(as: payment(.coin)))
    }

    @Test("a permit, which conflicts with nothing, counts once for each digest")
    func permits() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("100 USDC"))
        let owner = try #require(try books.wallet.accounts.ethereum?.key(at: 0).address)
        func permit(_ nonce: Int) throws -> SigningPayload {
            let fields = ["owner", "spender", "value", "nonce", "deadline"]
            let types = zip(fields, ["address", "address", "uint256", "uint256", "uint256"])
                .map { #"{"name": "\#($0)", "type": "\#($1)"}"# }.joined(separator: ", ")
            let document = """
                {"types": {"EIP712Domain": [{"name": "chainId", "type": "uint256"},
                                            {"name": "verifyingContract", "type": "address"}], "Permit": [\(types)]},
                 "primaryType": "Permit", "domain": {"chainId": 1, "verifyingContract": "\(Order.token)"},
                 "message": {"owner": "\(owner)", "spender": "\(Order.bob)", "value": "60000000", "nonce": "\(nonce)",
                             "deadline": "1800000000"}}
                """
            let bytes = Array(document.utf8)
            return .typedData(try TypedData(decoding: bytes), document: bytes, account: 0)
        }
        let first = try permit(0)
        for _ in 0..<3 { #expect(try await book.verdict(on: first, at: Order.noon) == nil) }
        #expect(try await book.verdict(on: first, at: Order.noon + 1) == nil)
        #expect(await book.history().map(\.conflictSet) == [nil])
        #expect(try await book.verdict(on: try permit(1), at: Order.noon + 1) == .denied)
    }

    @Test("a far address of the wallet itself never becomes known, even if a payment to it is mined")
    func ownFarAddress() async throws {
        let books = try BookFixture()
        let path = try AddressPath(.change, index: BitcoinLimits.farthestAddress)
        let script = try books.wallet.account.key(at: path).scriptPubKey
        let address = try #require(Address(script, on: books.wallet.network))
        let own = Party.own(address, at: path)
        let book = try await books.open(rules: #"{"name": "all", "then": "allow"}"#)
        let payload = try Order.bitcoin(60_000, from: books.wallet, spending: [0])
        let read = try book.meaning(of: payload)
        let intent = Intent(
            chain: read.chain, effects: read.effects + [.payment(.coin, amount: 5, to: own)],
            highestFee: read.highestFee,
            findings: [], digest: read.digest)
        try await book.admit(payload, meaning: intent, in: SigningContext(now: Order.noon))
        let bob = Party.bitcoin(try #require(Address(Payment.bob, on: books.wallet.network)))
        for outcome in [HistoryEntry.Outcome.signed(id: nil, bytes: []), .sent, .mined(height: 5)] {
            try await book.note(outcome, of: read.digest)
            let context = try await book.policyContext(
                for: try Order.ether(1, nonce: 9), digest: [], in: SigningContext(now: Order.noon))
            #expect(context.known == (outcome == .mined(height: 5) ? [bob] : []))
            #expect(context.chosen == [bob])
        }
    }

    @Test("a contact is known, and a payee once the payment is mined; a signature alone makes no payee known")
    func known() async throws {
        let books = try BookFixture()
        let book = try await books.open(
            rules:
                #"{"name": "known", "if": {"known": true}, "then": "allow"}, {"name": "new", "if": {"effect": "payment", "to": "\#(Order.bob)"}, "then": "allow"}"#
        )
        func context() async throws -> PolicyContext {
            try await book.policyContext(
                for: try Order.ether(1, nonce: 9), digest: [], in: SigningContext(now: Order.noon))
        }
        let digest = try await book.admit(try Order.ether(1, nonce: 0))
        #expect(try await context().known == [])
        #expect(try await book.verdict(on: try Order.ether(1, to: Order.mallory, nonce: 1)) == .denied)
        for outcome in [HistoryEntry.Outcome.signed(id: nil, bytes: []), .unanswered, .sent] {
            try await book.note(outcome, of: digest)
            #expect(try await context().known == [])
        }
        for outcome in [HistoryEntry.Outcome.mined(height: 1), .settled(height: 1)] {
            try await book.note(outcome, of: digest)
            #expect(try await context().known == [.ethereum(Order.bob)])
        }
        // The chain was reorganised.
        for outcome in [HistoryEntry.Outcome.sent, .replaced] {
            try await book.note(outcome, of: digest)
            #expect(try await context().known == [])
        }
        try await book.add(Contact(name: "Mallory", party: .ethereum(Order.mallory)))
        #expect(try await book.verdict(on: try Order.ether(1, to: Order.mallory, nonce: 1)) == nil)
    }

    @Test("an address that resembles one for which a payment was signed is neither paid nor added as a contact")
    func lookAlikes() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let digest = try await book.admit(try Order.ether(1, nonce: 0))
        var bytes = Order.bob.bytes
        bytes[10] ^= 1
        let double = try EthereumAddress(bytes: bytes)
        for outcome in [nil, HistoryEntry.Outcome.signed(id: nil, bytes: []), .mined(height: 1), .replaced] {
            if let outcome { try await book.note(outcome, of: digest) }
            #expect(try await book.verdict(on: try Order.ether(1, to: double, nonce: 1)) == .denied)
            let contact = try Contact(name: "Bob", party: .ethereum(double))
            #expect(
                await failure { () async throws(CustodyError) in try await book.add(contact) }
                    == .book(.lookAlike(address: Order.bob.description)))
        }
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 1)) == nil)
    }

    @Test("approvals count if they are signatures of approvers of this digest")
    func approvals() async throws {
        let books = try BookFixture()
        let keys = [UInt8(1), 2, 3].map { [UInt8](repeating: $0, count: 32) }
        let names = ["anna", "ben"]
        let approvers = zip(names, keys).map { #""\#($0)": "\#(hex(EdDSA.publicKey(ofSeed: secret($1))))""# }
        let book = try await books.open(
            rules: #"{"name": "both", "then": {"approvals": 2, "of": ["anna", "ben"]}}"#,
            approvers: "{\(approvers.joined(separator: ", "))}")
        let order = try Order.ether(1, nonce: 0)
        let digest = try book.meaning(of: order).digest
        func approval(_ key: Int, _ digest: [UInt8]) throws -> Approval {
            try Approval(file: Approval.sign(digest, key: secret(keys[key])).file)
        }
        let anna = try approval(0, digest)
        #expect(try await book.verdict(on: order) == .needsApproval(missing: 2))
        #expect(try await book.verdict(on: order, approvals: [anna]) == .needsApproval(missing: 1))
        #expect(try await book.verdict(on: order, approvals: [anna, anna]) == .needsApproval(missing: 1))
        let other = try approval(1, try book.meaning(of: try Order.ether(1, nonce: 1)).digest)
        #expect(try await book.verdict(on: order, approvals: [anna, other]) == .needsApproval(missing: 1))
        let stranger = try approval(2, digest)
        #expect(try await book.verdict(on: order, approvals: [anna, stranger]) == .needsApproval(missing: 1))
        #expect(await book.history().isEmpty)
        #expect(try await book.verdict(on: order, approvals: [anna, try approval(1, digest)]) == nil)
    }

    @Test("a payload for an account that the wallet does not have is refused")
    func foreignAccount() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try Order.ether(1, nonce: 0)
        let intent = try book.meaning(of: order)
        let foreign = try Order.ether(1, nonce: 0, account: 1 << 31)
        let error = await failure { () async throws(CustodyError) in
            try await book.admit(foreign, meaning: intent, in: SigningContext(now: 0))
        }
        #expect(error == .wallet(.key(.badPath)))
    }
}
