internal import Amounts
internal import Bitcoin
import Curves
import Encoding
internal import Ethereum
import Foundation
internal import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Proposals for approvers")
struct ProposalFileTests {
    private static let other = "0x" + String(repeating: "5b", count: 20)

    /// One of each kind.
    private static func payloads(_ wallet: KnownWallet) throws -> [SigningPayload] {
        let document = Array(
            #"{"types": {"EIP712Domain": [{"name": "name", "type": "string"}], "Note": [{"name": "text", "type": "string"}]}, "primaryType": "Note", "domain": {"name": "Notes"}, "message": {"text": "hello"}}"#
                .utf8)
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(UInt256(2)), maxFeePerGas: Wei(UInt256(30)))
        return [
            .bitcoinTransaction(try Payment(from: wallet).psbt),
            .bitcoinMessage(Array("hello".utf8), by: AddressLabel(.segwit, at: try AddressPath(.receive, index: 3))),
            .personalMessage(try PersonalMessage("hello"), account: 1),
            .typedData(try TypedData(decoding: document), document: document, account: 0),
            .ethereumTransaction(
                try EthereumTransaction(
                    chainID: .ethereum, nonce: 0, gasLimit: 21_000, to: try EthereumAddress(other),
                    value: Wei(UInt256(1)), data: [], kind: .dynamicFee(fees, [])), account: 0),
        ]
    }

    private static func digest(_ file: ProposalFile) throws -> [UInt8] {
        try SigningWork(of: file.payload, for: file.accounts).intent.digest
    }

    @Test("a file is read, and its reader computes the same digest as the wallet")
    func roundTrip() throws {
        let wallet = try KnownWallet()
        for payload in try Self.payloads(wallet) {
            let file = ProposalFile(payload, of: wallet.record)
            #expect(ProposalFile.isOne(file.file))
            let read = try ProposalFile(file: file.file)
            #expect(read == file && read.file == file.file)
            let digest = try SigningWork(of: payload, for: wallet.record.accounts).intent.digest
            #expect(try Self.digest(read) == digest)
        }
    }

    @Test("the file has the documented format")
    func golden() throws {
        let wallet = try KnownWallet()
        let file = ProposalFile(.personalMessage(try PersonalMessage("hi"), account: 2), of: wallet.record)
        #expect(
            String(decoding: file.file, as: UTF8.self)
                == #"{"version":1,"wallet":"known","network":"regtest","schnorr_key":"\#(hex(wallet.record.keys.schnorr.publicKey.encoded))","ecdsa_key":"\#(hex(wallet.record.keys.ecdsa.publicKey.encoded))","payload":"AwAAAAJoaQ=="}"#
                + "\n")
    }

    @Test(
        "of an imported wallet, the file says with what, in a version of its own; other chain codes give another digest"
    )
    func imported() throws {
        let wallet = try WalletRecord.known(try KnownWallet().record.keys, imported: GoldenImport.keys())
        let path = try AddressPath(.receive, index: 0)
        for kind in AddressLabel.Kind.allCases {
            let payload = SigningPayload.bitcoinMessage(Array("hello".utf8), by: AddressLabel(kind, at: path))
            let file = ProposalFile(payload, of: wallet)
            #expect(file.imported == wallet.imported)
            let read = try ProposalFile(file: file.file)
            #expect(read == file && read.file == file.file)
            let digest = try SigningWork(of: payload, for: wallet.accounts).intent.digest
            #expect(try Self.digest(read) == digest)
            #expect(try Self.digest(ProposalFile(payload, of: try KnownWallet().record)) != digest)

            // One chain code differs.
            let key = kind == .taproot ? GoldenImport.taproot : GoldenImport.segwit
            let other = Base58Check.encode(try Base58Check.decode(key, limit: 78).flipping(13))
            let text = String(decoding: file.file, as: UTF8.self)
            let changed = try ProposalFile(file: Array(text.replacing(key, with: other).utf8))
            #expect(try Self.digest(changed) != digest)
            // Other points have no accounts; and a file of neither form is not a proposal.
            let foreign = text.replacing(GoldenImport.taproot, with: GoldenImport.segwit)
            #expect(throws: CustodyError.wallet(.key(.badKey))) {
                try ProposalFile(file: Array(foreign.utf8)).accounts
            }
            for (old, new) in [
                (#""version":2"#, #""version":1"#), (#""version":2"#, #""version":3"#),
                (#""imported":{"#, #""other":{"#),
                (#""chain":"bitcoin""#, #""chain":"ethereum""#), (#""chain":"bitcoin""#, #""chain":1"#),
                (#""chain":"bitcoin","#, ""), ("tpub", "xpub"),
            ] {
                #expect(text.contains(old), "\(old)")
                #expect(throws: CustodyError.badProposal, "\(new)") {
                    try ProposalFile(file: Array(text.replacing(old, with: new, maxReplacements: 1).utf8))
                }
            }
        }
    }

    @Test("a file to sign is proposed with the key that signs it, and is no proposal for another wallet")
    func file() throws {
        let (wallet, mallory) = (try KnownWallet(), try KnownWallet(0x31))
        var hasher = FileDigest.Hasher()
        hasher.update("hello".utf8)
        let digest = hasher.finalize()
        let payload = try wallet.record.signing(digest, comment: "file:a")
        let file = try ProposalFile(file: ProposalFile(payload, of: wallet.record).file)
        #expect(file.payload == payload && file.isOf(wallet.record) && !file.isOf(mallory.record))
        #expect(try Self.digest(file) == SigningWork(of: payload, for: wallet.record.accounts).intent.digest)
        // The wallet's other keys, and a stranger's for the file.
        let foreign = try mallory.record.signing(digest, comment: "file:a")
        #expect(!ProposalFile(foreign, of: wallet.record).isOf(wallet.record))
        #expect(try Self.digest(ProposalFile(foreign, of: wallet.record)) != Self.digest(file))
    }

    @Test("a file with a false key has another digest, and its approval approves nothing of the wallet's")
    func falseKeys() throws {
        let (wallet, mallory) = (try KnownWallet(), try KnownWallet(0x31))
        let key = SecretBytes(count: 32, from: SystemRandom())
        for payload in try Self.payloads(wallet) {
            let digest = try Self.digest(ProposalFile(payload, of: wallet.record))
            let honest = String(decoding: ProposalFile(payload, of: wallet.record).file, as: UTF8.self)
            for (mine, theirs) in [
                (wallet.record.keys.schnorr.publicKey, mallory.record.keys.schnorr.publicKey),
                (wallet.record.keys.ecdsa.publicKey, mallory.record.keys.ecdsa.publicKey),
            ] {
                let text = honest.replacingOccurrences(of: hex(mine.encoded), with: hex(theirs.encoded))
                #expect(text != honest)
                let false_ = try ProposalFile(file: Array(text.utf8))
                let isConcerned: Bool =
                    switch payload {
                    case .bitcoinTransaction: true
                    default: theirs == mallory.record.keys.ecdsa.publicKey
                    }
                // A key that does not sign it reveals nothing about it.
                guard isConcerned else {
                    #expect(try Self.digest(false_) == digest)
                    continue
                }
                let seen = try Self.digest(false_)
                #expect(seen != digest)
                let approval = try Approval.sign(seen, key: key)
                #expect(approval.isValid(for: seen, by: approval.approver))
                #expect(!approval.isValid(for: digest, by: approval.approver))
            }
        }
    }

    @Test("a payment to a stranger is shown as change only by a file that lies about the keys")
    func stolenChange() throws {
        let (wallet, mallory) = (try KnownWallet(), try KnownWallet(0x31))
        var payment = try Payment(from: wallet)
        payment.outputs[1].script = try mallory.record.account.key(at: AddressPath(.change, index: 0)).scriptPubKey
        let honest = ProposalFile(.bitcoinTransaction(try payment.psbt), of: wallet.record)
        #expect(
            SpendSummary(of: try payment.psbt, for: try Ownership(of: try honest.accounts)).outputs
                .allSatisfy { $0.path == nil })
        let lie = try ProposalFile(
            file: Array(
                String(decoding: honest.file, as: UTF8.self).replacingOccurrences(
                    of: hex(wallet.record.keys.schnorr.publicKey.encoded),
                    with: hex(mallory.record.keys.schnorr.publicKey.encoded)
                ).utf8))
        let seen = SpendSummary(of: try payment.psbt, for: try Ownership(of: try lie.accounts))
        #expect(seen.outputs[1].path != nil)
        // It is refused as well, since no input belongs to that wallet; and with or without approvals its digest
        // differs.
        #expect(!seen.refusals.isEmpty)
        #expect(try Self.digest(lie) != Self.digest(honest))
    }

    @Test("any other file is refused, and nothing traps")
    func refusals() throws {
        let wallet = try KnownWallet()
        let text = String(
            decoding: ProposalFile(.personalMessage(try PersonalMessage("hi"), account: 2), of: wallet.record).file,
            as: UTF8.self)
        for (part, changed) in [
            (#""version":1"#, #""version":2"#), (#""version":1"#, #""version":1,"more":1"#),
            (#""wallet":"known""#, #""wallet":"../savings""#), (#""network":"regtest""#, #""network":"moon""#),
            (#""schnorr_key":"0"#, #""schnorr_key":"1"#), (#""ecdsa_key":"0"#, #""ecdsa_key":""#),
            (#""payload":"Aw"#, #""payload":"*w"#), (#""network":"regtest","#, ""),
        ] {
            let file = text.replacingOccurrences(of: part, with: changed)
            #expect(file != text)
            #expect(throws: CustodyError.badProposal, "\(changed)") { try ProposalFile(file: Array(file.utf8)) }
        }
        #expect(throws: CustodyError.wallet(.malformed(.unsupported))) {
            try ProposalFile(file: Array(text.replacingOccurrences(of: #""AwAA"#, with: #""CwAA"#).utf8))
        }
        #expect(!ProposalFile.isOne(Array("{}".utf8)) && !ProposalFile.isOne([]))
        let seeds = try Self.payloads(wallet).map { ProposalFile($0, of: wallet.record).file }
        Fuzz.mutations(of: seeds, iterations: 2_000) { bytes in
            _ = ProposalFile.isOne(bytes)
            guard let file = try? ProposalFile(file: bytes) else { return }
            guard try ProposalFile(file: file.file) == file else { throw CustodyError.badProposal }
        }
    }
}

@Suite("Approvers' keys")
struct ApproverKeyTests {

    @Test("a key opens with its passphrase, approves, and is in a file that only its owner can read")
    func opens() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/anna.vault"
        let made = try ApproverKey.create(at: path, passphrase: guarded("hers"), random: SystemRandom()).publicKey
        let key = try await ApproverKey.open(at: path, passphrase: guarded("hers"))
        #expect(key.publicKey == made && made.count == 32)
        let digest = [UInt8](repeating: 7, count: 32)
        let approval = try key.approve(digest)
        #expect(approval.isValid(for: digest, by: made) && approval.approver == made)
        #expect(!approval.isValid(for: [UInt8](repeating: 8, count: 32), by: made))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await #expect(throws: CustodyError.approverKey(path: path, .wrongPassphrase)) {
            _ = try await ApproverKey.open(at: path, passphrase: guarded("other"))
        }
        #expect(throws: CustodyError.approverKey(path: path, .alreadyExists)) {
            _ = try ApproverKey.create(at: path, passphrase: guarded("hers"), random: SystemRandom())
        }
    }

    @Test("a vault with other contents is refused")
    func otherVault() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/other.vault"
        try VaultFile.seal(
            guarded(String(repeating: "k", count: 32)), as: ItemName(service: "fueki.share", account: "key"),
            attributes: .critical(.other), at: path, passphrase: guarded("p"), random: SystemRandom())
        await #expect(throws: CustodyError.approverKey(path: path, .wrongKind)) {
            _ = try await ApproverKey.open(at: path, passphrase: guarded("p"))
        }
        await #expect(throws: CustodyError.approverKey(path: "\(folder.path)/none", .notFound)) {
            _ = try await ApproverKey.open(at: "\(folder.path)/none", passphrase: guarded("p"))
        }
    }
}
