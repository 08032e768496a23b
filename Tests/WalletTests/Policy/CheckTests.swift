internal import Amounts
internal import DisplayText
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Wallet

@Suite("Checks before signing")
struct CheckTests {
    private func names(_ intent: Intent, _ context: PolicyContext = Sample.context()) -> [String] {
        intent.checked(in: context).findings.map(\.name)
    }

    private func node(
        balance: UInt256, fee: UInt256? = nil, contracts: Set<Party> = [], failure: String? = nil,
        further: FurtherFee = .none
    ) -> NodeView {
        NodeView(
            balance: balance, expectedFee: fee, contracts: contracts,
            failure: failure.map { SanitizedText($0, limit: 100, lines: .one) }, furtherFee: further)
    }

    @Test("a fee beside gas is shown with its amount, and twice as much has to be covered; an unknown one is reported")
    func furtherFee() throws {
        let ether = try Wei("1eth").value
        let intent = Sample.intent(Sample.payment(ether), fee: try Wei("0.001eth").value)
        let fee = FurtherFee.now(try Wei("0.0002eth").value)
        let enough = try Wei("1.0014eth").value
        let rich = intent.checked(in: Sample.context(node: node(balance: enough, further: fee)))
        let finding = try #require(rich.findings.first)
        #expect((finding.name, finding.weight, rich.findings.count) == ("further_fee", .notice, 1))
        #expect(
            finding.text.contains("0.0002 ETH now") && finding.text.contains("0.0004 ETH set aside"), "\(finding.text)")
        #expect(finding.text.hasSuffix("the fees are 0.0014 ETH"), "\(finding.text)")
        let poor = node(balance: try enough.subtracting(1), further: fee)
        #expect(names(intent, Sample.context(node: poor)) == ["insufficient_funds", "further_fee"])
        #expect(
            names(intent, Sample.context(node: node(balance: enough, further: .now(.maximum)))).first
                == "insufficient_funds")
        for (further, expected) in [
            (.none, []), (.now(.zero), []), (.untold, ["further_fee"]), (.possible, ["unknown_chain"]),
        ] as [(FurtherFee, [String])] {
            #expect(names(intent, Sample.context(node: node(balance: enough, further: further))) == expected)
        }
        // The signed payload is the same, whatever a node reports.
        #expect(rich.highestFee == intent.highestFee && rich.digest == intent.digest)
    }

    @Test("a payment to a known payee has no finding") func plain() {
        #expect(names(Sample.intent(Sample.payment(1))).isEmpty)
    }

    @Test("a new payee is a notice") func first() {
        #expect(names(Sample.intent(Sample.payment(1, to: Sample.stranger))) == ["first_payment"])
    }

    @Test("a payment's hidden findings are never costly or refusals, and the digest stays") func keeping() {
        let findings = [Finding("a", "x", .notice), Finding("b", "x", .costly), Finding("c", "x", .refusal)]
        let intent = Sample.intent(Sample.payment(1), findings: findings)
        let kept = intent.keeping { _ in false }
        #expect(kept.findings == Array(findings.dropFirst()) && kept.digest == intent.digest)
        #expect(intent.keeping { _ in true } == intent)
    }

    @Test("a payment of zero, or to the zero address, is refused") func nothing() throws {
        #expect(names(Sample.intent(Sample.payment(0))) == ["zero_amount"])
        let zero = Party.ethereum(.zero)
        let intent = Sample.intent(Sample.payment(1, to: zero)).checked(in: Sample.context(known: [zero]))
        #expect(intent.refusals.map(\.name) == ["zero_address"])
    }

    @Test("an address that begins and ends like a known one is refused, on both chains")
    func poisoning() throws {
        let known = Party.ethereum(try EthereumAddress("0x1234567890123456789012345678901234abcdef"))
        let double = Party.ethereum(try EthereumAddress("0x1234999999999999999999999999999999abcdef"))
        let other = Party.ethereum(try EthereumAddress("0x1234999999999999999999999999999999abcdee"))
        let context = Sample.context(known: [known])
        #expect(
            names(Sample.intent(Sample.payment(1, to: double)), context) == ["address_poisoning", "first_payment"])
        let found = Sample.intent(Sample.payment(1, to: double)).checked(in: context)
        #expect(found.refusals.map(\.name) == ["address_poisoning"])
        #expect(names(Sample.intent(Sample.payment(1, to: other)), context) == ["first_payment"])
        #expect(names(Sample.intent(Sample.payment(1, to: known)), context).isEmpty)
        // A known address is not a look-alike.
        let both = Sample.context(known: [known, double])
        #expect(names(Sample.intent(Sample.payment(1, to: double)), both).isEmpty)
    }

    @Test(
        "seven characters at both ends together look alike, if at least two are at each",
        arguments: [
            (4, 3, true), (3, 4, true), (5, 2, true), (2, 5, true), (3, 3, false), (4, 2, false), (6, 1, false),
            (1, 6, false), (7, 0, false), (0, 7, false),
        ])
    func alike(first: Int, last: Int, isAlike: Bool) throws {
        let digits = "1234567890123456789012345678901234abcdef"
        let middle = String(repeating: "0", count: 40 - first - last)
        let known = Party.ethereum(try EthereumAddress("0x" + digits))
        let other = Party.ethereum(try EthereumAddress("0x" + digits.prefix(first) + middle + digits.suffix(last)))
        #expect(known.looksLike(other) == isAlike && other.looksLike(known) == isAlike)
    }

    @Test("an Ethereum address that differs from a known one in one or two digits is refused, and in three is not")
    func mistyped() throws {
        let known = Party.ethereum(try EthereumAddress("0x1234567890123456789012345678901234abcdef"))
        let context = Sample.context(known: [known])
        for (digits, isRefused) in [
            ("0234567890123456789012345678901234abcdef", true), ("1234567890123456789012345678901234abcdee", true),
            ("2134567890123456789012345678901234abcdef", true), ("1234567890123456789012345678901234abcd0e", true),
            ("0234567890123456789012345678901234abcdee", true), ("0034567890123456789012345678901234abcdee", false),
        ] {
            let payee = Party.ethereum(try EthereumAddress("0x" + digits))
            let found = names(Sample.intent(Sample.payment(1, to: payee)), context)
            #expect(found == (isRefused ? ["address_poisoning"] : []) + ["first_payment"], "\(digits)")
            #expect(known.looksLike(payee) == isRefused)
        }
    }

    @Test("an address that begins and ends like one for which a payment was only signed is refused as well")
    func poisoningOfSigned() throws {
        let signed = Party.ethereum(try EthereumAddress("0x1234567890123456789012345678901234abcdef"))
        let double = Party.ethereum(try EthereumAddress("0x1234999999999999999999999999999999abcdef"))
        let context = Sample.context(known: [], chosen: [signed])
        #expect(
            names(Sample.intent(Sample.payment(1, to: double)), context) == ["address_poisoning", "first_payment"])
        // This makes no address known, not even a look-alike that was signed for before.
        let once = Sample.intent(Sample.payment(1, to: signed)).checked(in: context).findings
        #expect(once.map(\.name) == ["first_payment"])
        #expect(once.map(\.text) == ["no payment to \(signed) has been seen in a block yet"])
        let both = Sample.context(known: [signed], chosen: [signed, double])
        #expect(names(Sample.intent(Sample.payment(1, to: double)), both) == ["address_poisoning", "first_payment"])
        #expect(names(Sample.intent(Sample.payment(1, to: signed)), both).isEmpty)
    }

    @Test(
        "an address of Bitcoin that begins and ends like a known one is refused, of each kind and on each network",
        arguments: Network.allCases)
    func poisoningOnBitcoin(network: Network) throws {
        for pair in try LookAlikes.pairs(on: network) {
            let (known, double) = (Party.bitcoin(pair.known), Party.bitcoin(pair.double))
            #expect(known != double && known.looksLike(double) && double.looksLike(known), "\(known) \(double)")
            let found = names(Sample.intent(Sample.payment(1, to: double)), Sample.context(known: [known]))
            #expect(found == ["address_poisoning", "first_payment"], "\(known) \(double)")
            for other in pair.others { #expect(!known.looksLike(.bitcoin(other)), "\(known) \(other)") }
        }
    }

    @Test("without data about known payees, there are no other findings")
    func unknownHistory() {
        let findings = Sample.intent(Sample.payment(1)).checked(in: Sample.context(known: nil)).findings
        #expect(findings.map(\.name) == ["first_payment"])
        #expect(findings.first?.text == "whether \(Sample.friend) was paid before is not known here")
    }

    @Test("an allowance to an address that resembles a known one is refused, unless it revokes one") func spender()
        throws
    {
        let known = Party.ethereum(try EthereumAddress("0x1234567890123456789012345678901234abcdef"))
        let double = Party.ethereum(try EthereumAddress("0x1234999999999999999999999999999999abcdef"))
        let intent = Sample.intent(.allowance(.token(Sample.token), amount: 5, to: double))
        #expect(names(intent, Sample.context(known: [known])) == ["address_poisoning", "first_allowance"])
        let more = Sample.intent(.increase(.token(Sample.token), by: 5, to: double))
        #expect(names(more, Sample.context(known: [known])) == ["address_poisoning", "first_allowance"])
        let control = Sample.intent(.control(of: Sample.token, by: double, isGiven: true))
        #expect(
            names(control, Sample.context(known: [known])) == ["address_poisoning", "first_allowance", "control"])
        let moved = Sample.intent(.transfer(.token(Sample.token), amount: 5, from: Sample.friend, to: double))
        #expect(names(moved, Sample.context(known: [known])) == ["address_poisoning"])
        let back = Sample.intent(.allowance(.token(Sample.token), amount: 0, to: double))
        #expect(names(back, Sample.context(known: [known])).isEmpty)
    }

    @Test(
        "an allowance to somebody unknown is costly, however small; one to somebody known, or that takes back, is not")
    func firstAllowance() throws {
        let almost = try EthereumLimits.unlimitedAllowance.subtracting(1)
        let token = Asset.token(Sample.token)
        func given(to party: Party) -> [Effect] {
            [
                .allowance(token, amount: almost, to: party),
                .allowance(.tokenOrItem(Sample.token), amount: 1, to: party),
                .increase(token, by: 1, to: party),
            ]
        }
        for effect in given(to: Sample.stranger) {
            for (context, words) in [
                (Sample.context(), "whom you have neither named as a contact nor paid"),
                (Sample.context(known: [], chosen: [Sample.stranger]), "neither named as a contact nor paid"),
                (Sample.context(known: nil), "whether you know them is not known here"),
            ] {
                let findings = Sample.intent(effect).checked(in: context).findings
                #expect(findings.map(\.name) == ["first_allowance"] && findings.first?.weight == .costly, "\(effect)")
                #expect(findings.first?.text.contains(words) == true && findings.first?.text.contains("0xdE") == true)
            }
        }
        for effect in given(to: Sample.friend) { #expect(names(Sample.intent(effect)).isEmpty) }
        #expect(
            names(Sample.intent(.allowance(token, amount: nil, to: Sample.stranger)))
                == ["first_allowance", "unlimited_allowance"])
        #expect(
            names(Sample.intent(.control(of: Sample.token, by: Sample.stranger, isGiven: true)))
                == ["first_allowance", "control"])
        for effect in [
            Effect.allowance(token, amount: 0, to: Sample.stranger), .decrease(token, by: 5, to: Sample.stranger),
            .increase(token, by: 0, to: Sample.stranger),
            .control(of: Sample.token, by: Sample.stranger, isGiven: false),
        ] { #expect(names(Sample.intent(effect)).isEmpty, "\(effect)") }
        #expect(Finding.names.contains("first_allowance"))
    }

    @Test("tokens sent to their own contract are lost; a contract that receives coins is reported") func contracts() {
        let contract = Party.ethereum(Sample.token)
        let lost = Sample.intent(Sample.payment(1, to: contract, of: .token(Sample.token)))
        #expect(names(lost, Sample.context(known: [contract])) == ["token_contract"])
        let coins = Sample.intent(Sample.payment(1))
        let node = node(balance: 10, contracts: [Sample.friend])
        #expect(names(coins, Sample.context(node: node)) == ["contract_recipient"])
    }

    @Test("power over tokens, collections or the account is costly") func power() {
        for (effect, name) in [
            (Effect.allowance(.token(Sample.token), amount: nil, to: Sample.friend), "unlimited_allowance"),
            (.control(of: Sample.token, by: Sample.friend, isGiven: true), "control"),
            (.delegation(to: Sample.token), "delegation"),
            (.call(Sample.token, selector: [1, 2, 3, 4]), "unknown_call"),
            (.statement(type: SanitizedText("Order", limit: 10, lines: .one), for: nil), "unknown_statement"),
        ] {
            let findings = Sample.intent(effect).checked(in: Sample.context()).findings
            #expect(findings.map(\.name) == [name])
            #expect(findings.first?.weight == .costly)
        }
        #expect(names(Sample.intent(.control(of: Sample.token, by: Sample.friend, isGiven: false))).isEmpty)
        #expect(names(Sample.intent(.allowance(.token(Sample.token), amount: 5, to: Sample.friend))).isEmpty)
    }

    @Test("the balance must cover payment and fee, to the last unit") func balance() {
        let intent = Sample.intent(Sample.payment(60), Sample.payment(30), fee: 10)
        #expect(names(intent, Sample.context(node: node(balance: 100))).isEmpty)
        #expect(names(intent, Sample.context(node: node(balance: 99))) == ["insufficient_funds"])
        let huge = Sample.intent(Sample.payment(.maximum), fee: 1)
        #expect(names(huge, Sample.context(node: node(balance: .maximum))) == ["insufficient_funds"])
        // Tokens do not reduce the coin's balance.
        let token = Sample.intent(Sample.payment(1_000, of: .token(Sample.token)), fee: 10)
        #expect(names(token, Sample.context(node: node(balance: 10))).isEmpty)
    }

    @Test("a fee above five times what the node expects is costly") func fee() {
        let context = Sample.context(node: node(balance: 1_000, fee: 10))
        #expect(names(Sample.intent(Sample.payment(1), fee: 50), context).isEmpty)
        #expect(names(Sample.intent(Sample.payment(1), fee: 51), context) == ["high_fee"])
    }

    @Test("an expected failure is reported, in words that are safe to show") func failure() {
        let context = Sample.context(node: node(balance: 1_000, failure: "no\u{202E}pe"))
        let finding = Sample.intent(Sample.payment(1)).checked(in: context).findings.first
        #expect(finding?.name == "would_fail")
        #expect(finding?.text.contains("no<U+202E>pe") == true)
    }
}
