internal import Amounts
import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Wallet

@Suite("Change to addresses beyond the search")
struct FarIndexTests {
    /// A payment with change to this address, which the PSBT claims, from an input at another.
    private func work(changeAt index: UInt32, from own: UInt32 = 0, isClaimed: Bool = true) throws -> SigningWork {
        let signer = try LoneSigner()
        let (input, change) = (
            try signer.account.key(at: AddressPath(.receive, index: own)),
            try signer.account.key(at: AddressPath(.change, index: index))
        )
        var draft = try Draft.payment(by: signer)
        draft.inputs[0].script = input.scriptPubKey
        draft.outputs[1].script = change.scriptPubKey
        var psbt = try draft.psbt.adding(
            [0x16] + input.internalKey, derivation(signer.account, [0, own]), toMap: 1)
        if isClaimed {
            psbt = try psbt.adding([0x07] + change.internalKey, derivation(signer.account, [1, index]), toMap: 3)
        }
        return try SigningWork(of: .bitcoinTransaction(psbt), for: Accounts(bitcoin: signer.accounts))
    }

    @Test("from the bound on it is a costly payment to the wallet's own address; below it is change")
    func payment() throws {
        let bound = BitcoinLimits.farthestAddress
        for index in [bound, bound + 1, .max >> 1] {
            let work = try work(changeAt: index)
            let path = try AddressPath(.change, index: index)
            guard case .payment(.coin, let amount, .own(let address, let found)) = work.intent.effects.last else {
                Issue.record("\(work.intent.effects)")
                continue
            }
            #expect(amount == 39_000 && found == path && address == work.spend?.outputs.last?.address)
            #expect(work.intent.effects.count == 2)
            #expect(work.intent.costs(besides: []).map(\.name) == ["far_index"])
            #expect(work.spend?.returned == .zero && work.spend?.strayed.satoshis == 39_000)
            #expect(work.spend?.paid.satoshis == 60_000)
            #expect(work.requests.count == 1)
            // The finding tells the index, and not that the payee is new.
            let bob = Set(work.intent.effects.prefix(1).compactMap(\.party))
            let names = work.intent.checked(in: Sample.context(known: bob)).findings.map(\.name)
            #expect(names.contains("far_index") && !names.contains("first_payment"), "\(names)")
        }
        let near = try work(changeAt: bound - 1)
        #expect(near.intent.effects.map(\.kind) == [.payment])
        #expect(near.intent.costs(besides: []).map(\.name) == ["far_index"])
        #expect(near.spend?.returned.satoshis == 39_000)
    }

    @Test("it counts for a policy's limits, and is not a known payee")
    func limits() throws {
        func verdict(_ condition: String, _ index: UInt32) throws -> Decision.Verdict {
            let file = #"{"version": 1, "rules": [{"name": "a", "if": {\#(condition)}, "then": "allow"}]}"#
            let work = try work(changeAt: index)
            let known = Set(work.intent.effects.prefix(1).compactMap(\.party))
            return try Policy(file: Array(file.utf8))
                .decide(on: work.intent, in: Sample.context(known: known)).verdict
        }
        let far = BitcoinLimits.farthestAddress
        let limit = #""spent_at_most": {"amount": "0.00061 BTC@bitcoin:regtest", "within": "24h"}"#
        #expect(try verdict(limit, far - 1) == .allowed)
        #expect(try verdict(limit, far) == .denied)
        #expect(try verdict(#""known": true"#, far - 1) == .allowed)
        #expect(try verdict(#""known": true"#, far) == .denied)
        let address = try #require(try work(changeAt: far).spend?.outputs.last?.address)
        // It is not known by a contact with the same address, or by a book of an earlier version, either.
        let contact = try Policy(
            file: Array(#"{"version": 1, "rules": [{"name": "a", "if": {"known": true}, "then": "allow"}]}"#.utf8))
        let intent = try work(changeAt: far).intent
        let known = Set(intent.effects.prefix(1).compactMap(\.party)).union([.bitcoin(address)])
        #expect(contact.decide(on: intent, in: Sample.context(known: known)).verdict == .denied)
        let bob = try #require(try work(changeAt: far).spend?.outputs.first?.address)
        #expect(try verdict(#""to": ["\#(address)", "\#(bob)"]"#, far) == .allowed)
        #expect(try verdict(#""not_to": "\#(address)""#, far) == .denied)
    }

    @Test("the digest is that of the same transaction without the claim, where it is a payment to a stranger")
    func unclaimed() throws {
        let far = BitcoinLimits.farthestAddress
        let (claimed, plain) = (try work(changeAt: far), try work(changeAt: far, isClaimed: false))
        #expect(claimed.intent.digest == plain.intent.digest)
        #expect(plain.intent.effects.map(\.kind) == [.payment, .payment])
        #expect(
            plain.intent.effects.last?.party?.description == claimed.intent.effects.last?.party?.description)
    }

    @Test("change after the spent address's index is a notice; far after it, it is costly")
    func gap() throws {
        func names(_ index: UInt32, from own: UInt32) throws -> [String] {
            try work(changeAt: index, from: own).intent.findings.map(\.name).filter { $0.hasSuffix("index") }
        }
        #expect(try names(199, from: 0) == [] && names(199, from: 199) == [])
        #expect(try names(200, from: 0) == ["far_index"] && names(200, from: 179) == ["far_index"])
        #expect(try names(200, from: 180) == ["high_index"] && names(999, from: 1_000) == ["high_index"])
        // Beyond the search nothing counts as near: an attacker may have sent coins there to make it seem so.
        let far = BitcoinLimits.farthestAddress
        #expect(try names(far, from: far) == ["far_index"])
        #expect(try work(changeAt: far, from: far).intent.effects.map(\.kind) == [.payment, .payment])
    }

    @Test("coins at a far address are spent, and return to a near one")
    func spending() throws {
        let work = try work(changeAt: 0, from: .max >> 1)
        #expect(work.intent.refusals.isEmpty && work.intent.costs(besides: []).isEmpty)
        #expect(work.requests.count == 1 && work.intent.effects.map(\.kind) == [.payment])
    }
}
