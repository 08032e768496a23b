import ExchangeCredentials
import ExchangeTestSupport
import PinnedHTTP
import Secrets
import SecureStorage
import Testing
import Time

@testable import Exchange

@Suite struct PermissionTests {
    private static let binance = """
        {"ipRestrict":\(true),"createTime":1698645219000,"enableReading":true,"enableInternalTransfer":false,\
        "enableWithdrawals":false,"enableSpotAndMarginTrading":true,"enableMargin":false,"enableFutures":false,\
        "permitsUniversalTransfer":false,"enableVanillaOptions":false,"enableFixApiTrade":false,"enableFixReadOnly":false,\
        "enablePortfolioMarginTrading":false}
        """
    private static let kraken = """
        {"apiKeyName":"bot","apiKey":"x","nonce":"1","nonceWindow":0,"permissions":["query-funds","modify-trades"],\
        "validUntil":"0","queryFrom":"0","queryTo":"0","createdTime":"1690000000","modifiedTime":"1690000000",\
        "ipAllowlist":["192.0.2.1"],"lastUsed":"1700000000"}
        """

    @Test(
        "a key with few rights and a list of addresses has no finding",
        arguments: [ExchangeFixture.Kind.binanceHMAC, .kraken])
    func fine(kind: ExchangeFixture.Kind) async throws {
        let report = try await probe(kind, with: { $0 })
        #expect(report.findings.isEmpty)
        #expect(report.worst == nil)
        #expect(report.rights == [.read, .trade])
        #expect(report.isRestrictedToAddresses)
        #expect(report.created != nil)
    }

    @Test(
        "each dangerous right or missing restriction is a finding with its severity",
        arguments: [
            (.binanceHMAC, #""enableWithdrawals":false"#, #""enableWithdrawals":true"#, .canWithdraw, .danger),
            (.binanceHMAC, #""ipRestrict":true"#, #""ipRestrict":false"#, .noAddressListForActing, .danger),
            (.binanceHMAC, #""enableFutures":false"#, #""enableFutures":true"#, .canBorrow(.futures), .warning),
            (.binanceHMAC, #""enableMargin":false"#, #""enableMargin":true"#, .canBorrow(.margin), .warning),
            (
                .binanceHMAC, #""permitsUniversalTransfer":false"#, #""permitsUniversalTransfer":true"#,
                .canTransfer(.transfer), .warning
            ),
            (
                .binanceHMAC, #""enableFixReadOnly":false"#, #""enableSomethingNew":true"#,
                .unknownRight(.unknown("enableSomethingNew")), .warning
            ),
            (.binanceHMAC, #""enableFixReadOnly":false"#, #""ü\u202e":true"#, .unreadableRights(count: 1), .warning),
            (
                .binanceHMAC, #""enableSpotAndMarginTrading":true"#, #""enableSpotAndMarginTrading":false"#,
                .cannotTrade, .notice
            ),
            (
                .binanceHMAC, #""enableMargin":false"#, #""tradingAuthorityExpirationTime":1700000001000"#,
                .expiresSoon(Timestamp(milliseconds: 1_700_000_001_000)), .warning
            ),
            (.kraken, #""query-funds""#, #""withdraw-funds""#, .canWithdraw, .danger),
            (.kraken, #"["192.0.2.1"]"#, "[]", .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, "null", .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["192.0.2.1","0.0.0.0/0"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["0.0.0.0/1","128.0.0.0/1"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["0.0.0.0"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["2001:db8::1","::/0"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["::"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["0:0:0:0:0:0:0:0"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["*"]"#, .noAddressListForActing, .danger),
            (.kraken, #"["192.0.2.1"]"#, #"["192.0.2.1/"]"#, .noAddressListForActing, .danger),
            (.kraken, #""query-funds""#, #""new-right""#, .unknownRight(.unknown("new-right")), .warning),
            (
                .kraken, #""validUntil":"0""#, #""validUntil":"1690000000""#,
                .expired(Timestamp(milliseconds: 1_690_000_000_000)), .warning
            ),
            (.kraken, #""nonceWindow":0"#, #""nonceWindow":"10""#, .nonceWindow, .warning),
        ] as [(ExchangeFixture.Kind, String, String, PermissionFinding, PermissionFinding.Severity)])
    func findings(
        kind: ExchangeFixture.Kind, from: String, to: String, finding: PermissionFinding,
        severity: PermissionFinding.Severity
    ) async throws {
        let report = try await probe(kind) { $0.replacing(from, with: to) }
        #expect(report.findings == [finding])
        #expect(report.worst == severity)
        #expect(finding.advice != .none || severity == .notice)
    }

    @Test("a key that only reads and has no list of addresses is a warning, not a danger")
    func readOnly() async throws {
        let report = try await probe(.kraken) {
            $0.replacing(#"["192.0.2.1"]"#, with: "[]").replacing(#","modify-trades""#, with: "")
        }
        #expect(report.findings == [.noAddressListForReading, .cannotTrade])
    }

    @Test(
        "an answer that does not tell the most dangerous right is unclear, not harmless",
        arguments: [
            (.binanceHMAC, #""enableWithdrawals":false,"#, ""), (.binanceHMAC, #""ipRestrict":true,"#, ""),
            (.binanceHMAC, #""enableWithdrawals":false"#, #""enableWithdrawals":"false""#),
            (.kraken, #""ipAllowlist":["192.0.2.1"],"#, ""),
            (.kraken, #""permissions":["query-funds","modify-trades"],"#, ""),
            (.kraken, #""query-funds""#, "7"),
        ] as [(ExchangeFixture.Kind, String, String)])
    func unclear(kind: ExchangeFixture.Kind, from: String, to: String) async throws {
        await #expect(throws: ExchangeError.unclear(.answer)) {
            _ = try await probe(kind) { $0.replacing(from, with: to) }
        }
    }

    @Test("a list of few addresses restricts the key", arguments: [#"["10.0.0.0/8","2001:db8::/32","192.0.2.0/24"]"#])
    func ranges(list: String) async throws {
        let report = try await probe(.kraken) { $0.replacing(#"["192.0.2.1"]"#, with: list) }
        #expect(report.isRestrictedToAddresses)
    }

    @Test("rights of another key are unclear, and say nothing about this one")
    func otherKey() async throws {
        let other = "Z" + DocumentedKeys.krakenKey.dropFirst()
        await #expect(throws: ExchangeError.unclear(.answer)) {
            _ = try await probe(.kraken) { $0.replacing(#""apiKey":"x""#, with: #""apiKey":"\#(other)""#) }
        }
        let own = try await probe(.kraken) {
            $0.replacing(#""apiKey":"x""#, with: #""apiKey":"\#(DocumentedKeys.krakenKey)""#)
        }
        #expect(own.findings.isEmpty)
    }

    @Test("the rights of the last probe are in the key's record")
    func record() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: Self.kraken)
        _ = try await fixture.client.probePermissions()
        let record = try #require(try await fixture.keyring.record(fixture.label, at: .kraken))
        #expect(record.rights == [.read, .trade])
        #expect(record.probed != nil)
    }

    private func probe(_ kind: ExchangeFixture.Kind, with change: (String) -> String) async throws -> PermissionReport {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.answer("/sapi/v1/account/apiRestrictions", with: change(Self.binance))
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: change(Self.kraken))
        return try await fixture.client.probePermissions()
    }
}
