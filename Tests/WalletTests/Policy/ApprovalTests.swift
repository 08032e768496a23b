import Secrets
import TestSupport
import Testing

@testable import Wallet

@Suite("Approvals")
struct ApprovalTests {
    private let digest = [UInt8](repeating: 1, count: 32)

    @Test("golden file, which verifies only for its key and digest")
    func golden() throws {
        let approval = try Approval.sign(digest, key: secret([UInt8](repeating: 2, count: 32)))
        #expect(String(decoding: approval.file, as: UTF8.self) == Self.file)
        let read = try Approval(file: approval.file)
        #expect(read == approval)
        #expect(read.isValid(for: digest, by: read.approver))
        #expect(!read.isValid(for: [UInt8](repeating: 3, count: 32), by: read.approver))
        let other = try Approval.sign(digest, key: secret([UInt8](repeating: 3, count: 32)))
        #expect(!read.isValid(for: digest, by: other.approver))
        #expect(!read.isValid(for: digest, by: []))
    }

    private static let file =
        #"{"version":1,"#
        + #""digest":"0101010101010101010101010101010101010101010101010101010101010101","#
        + #""approver":"8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394","#
        + #""signature":"d6f58e7e15348f40c08ceb8a7ccb3fa7f763279941506aa51d53bcbbfdddab67e7eab8754c7317d08c76b4dbfcbc29cf6220c32219648a582c015caad9b5c805"}"#
        + "\n"

    @Test("malformed approvals are refused")
    func refusals() throws {
        let text = Self.file
        for (part, other) in [
            ("\"version\":1", "\"version\":2"), ("\"version\":1,", ""), ("0101", "01"), ("0101", "zz01"), ("}", ""),
            ("}", ",\"more\":1}"), ("\"digest\"", "\"digests\""),
        ] {
            let changed = text.replacing(part, with: other, maxReplacements: 1)
            #expect(throws: WalletError.badApproval, "\(changed)") { try Approval(file: Array(changed.utf8)) }
        }
        let large = text + String(repeating: " ", count: WalletLimits.approvalSize)
        #expect(throws: WalletError.badApproval) { try Approval(file: Array(large.utf8)) }
        #expect(throws: WalletError.badApproval) { try Approval.sign([1], key: secret(digest)) }
        #expect(throws: WalletError.badApproval) { try Approval.sign(digest, key: secret([1])) }
    }

    @Test("mutated approvals do no harm")
    func fuzz() throws {
        let approval = try Approval.sign(digest, key: secret([UInt8](repeating: 2, count: 32)))
        Fuzz.mutations(of: [approval.file], iterations: 3_000) { bytes in
            guard let read = try? Approval(file: bytes), read.isValid(for: digest, by: approval.approver) else {
                return
            }
            #expect(read == approval || read.digest != digest || read.approver != approval.approver)
        }
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }
}
