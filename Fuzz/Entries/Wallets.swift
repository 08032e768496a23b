internal import Amounts
internal import Bitcoin
internal import Curves
internal import Encoding
internal import Ethereum
internal import Secrets
internal import SecureStorage
internal import Threshold

@testable internal import Ceremonies
@testable internal import Custody
@testable internal import HDKeys
@testable internal import ThresholdECDSA
@testable internal import Wallet
@testable internal import WalletBooks

extension FuzzEntry {
    /// The files of a wallet, and the entries of its book.
    static let wallets: [FuzzEntry] = [
        // White space in JSON may differ: the decoded value has to encode and decode to itself.
        FuzzEntry("wallet-record", seeds: try SeedWallet.records.map { try $0.encoded }) { input in
            let record = try WalletRecord(decoding: input, name: nil)
            let again = try? WalletRecord(decoding: try record.encoded, name: nil)
            precondition(again == record, "written differently")
            return input
        },
        FuzzEntry("sealed-share", seeds: try SeedWallet.sealedShares()) { input in
            guard !input.isEmpty else { return nil }
            let encoded = exposed(try SealedShare(decoding: secret(input), name: nil).encoded())
            guard let again = try? exposed(SealedShare(decoding: secret(encoded), name: nil).encoded()) else {
                preconditionFailure("the share that it writes is refused")
            }
            precondition(again == encoded, "written differently")
            return input
        },
        FuzzEntry("renewal-journal", seeds: try SeedWallet.journals.map { try $0.encoded }) { input in
            let journal = try RenewalJournal(decoding: input, name: try SeedWallet.name())
            let again = try? RenewalJournal(decoding: try journal.encoded, name: try SeedWallet.name())
            precondition(again == journal, "written differently")
            return input
        },
        FuzzEntry("passphrase-backlog", seeds: try SeedWallet.backlogs.map { try $0.encoded }) { input in
            try PassphraseBacklog(decoding: input)?.encoded
        },
        FuzzEntry("wallet-label", seeds: try SeedWallet.labels()) { input in
            try WalletLabel(decoding: input).encoded
        },
        FuzzEntry("shown-addresses", seeds: [SeedWallet.shown().encoded(for: SeedWallet.id)]) { input in
            guard let shown = ShownAddresses(decoding: input, for: SeedWallet.id) else { return nil }
            let again = ShownAddresses(decoding: shown.encoded(for: SeedWallet.id), for: SeedWallet.id)
            precondition(again == shown, "written differently")
            return input
        },
        FuzzEntry(
            "proposal-file",
            seeds: try zip(SeedWallet.records + SeedWallet.records, SeedEthereum.payloads).map {
                ProposalFile($1, of: $0).file
            }
        ) { input in
            _ = ProposalFile.isOne(input)
            let file = try ProposalFile(file: input)
            precondition((try? ProposalFile(file: file.file)) == file, "written differently")
            _ = try? file.accounts
            return input
        },
        FuzzEntry("payload-file", seeds: try SeedWallet.payloadFiles()) { input in
            _ = try PayloadFile(decoding: input)
            return input
        },
        FuzzEntry("keystore", texts: SeedWallet.keystores) { text in
            _ = try Keystore(decoding: Array(text.utf8))
            return text
        },
        FuzzEntry("history-entry", seeds: try SeedWallet.history.map(\.encoded)) {
            try HistoryEntry(decoding: $0).encoded
        },
        FuzzEntry("stored-proposal", seeds: SeedWallet.proposals.map(\.encoded)) {
            try StoredProposal(decoding: $0).encoded
        },
        FuzzEntry(
            "contacts",
            seeds: [
                Contact.encode([]),
                Contact.encode(try SeedEthereum.parties.enumerated().map { try Contact(name: "Bob \($0)", party: $1) }),
            ]
        ) { Contact.encode(try Contact.list(decoding: $0)) },
        FuzzEntry("book-export", seeds: try SeedWallet.exports().map(\.encoded)) {
            try BookExport(decoding: $0).encoded
        },
        FuzzEntry(
            "archived-entries", seeds: try SeedWallet.exports().map { ArchivedEntry.encode($0.history) }
        ) { ArchivedEntry.encode(try ArchivedEntry.list(decoding: $0)) },
        FuzzEntry("approval", seeds: [try Approval.sign(SeedWallet.id, key: secret(SeedWallet.id)).file]) { input in
            let approval = try Approval(file: input)
            precondition((try? Approval(file: approval.file)) == approval, "written differently")
            _ = approval.isValid(for: approval.digest, by: approval.approver)
            return input
        },
        FuzzEntry("frozen-coins", seeds: [FrozenCoins.encode(try SeedWallet.coins()), FrozenCoins.encode([])]) {
            FrozenCoins.encode(try FrozenCoins.decode($0))
        },
        FuzzEntry("mount-table", texts: ["36 35 98:0 /a /b\\040c rw,noatime master:1 - ext3 /dev/root rw\n"]) { text in
            _ = MountTable(text).mount(of: "/b c/d")
            return text
        },
    ]
}

/// A wallet of two of three, whose keys are known.
enum SeedWallet {
    static let id = [UInt8](repeating: 0xD1, count: 32)

    static func exports() throws -> [BookExport] {
        let entries = try history.enumerated().map { number, entry in
            // A document has each digest once.
            let digest = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32)
            return ArchivedEntry(
                time: entry.time, chain: entry.chain, state: entry.state, id: Hex.encode(digest), digest: digest,
                highestFee: entry.highestFee, effects: entry.effects)
        }
        let contacts = try SeedEthereum.parties.enumerated().map { try Contact(name: "Bob \($0)", party: $1) }
        return [
            BookExport(wallet: id, time: 1_700_000_000, contacts: [], frozen: [], history: []),
            BookExport(
                wallet: id, time: 1_700_000_000, contacts: contacts, frozen: try coins(), history: entries),
        ]
    }

    static func name() throws -> WalletName { try WalletName("known") }

    private static func schnorr(_ epoch: Int) throws -> SeedKey<Secp256k1> { try SeedKey(2, of: 3, seed: 1) }
    private static func ecdsa(_ epoch: Int) throws -> SeedKey<Secp256k1> { try SeedKey(2, of: 3, seed: 2) }
    private static func ed25519(_ epoch: Int) throws -> SeedKey<Ed25519> { try SeedKey(2, of: 3, seed: 3) }

    static func keys() throws -> GroupKeys {
        try GroupKeys(schnorr: schnorr(0).group, ecdsa: ecdsa(0).group, ed25519: ed25519(0).group)
    }

    private static func record(epoch: Int = 0, importing account: ImportedPublicKeys.Account? = nil) throws
        -> WalletRecord
    {
        let keys = try keys()
        let imported = try account.map { ImportedPublicKeys($0, master: try KeyFingerprint("01020304").required()) }
        let walletID = WalletRecord.walletID(of: keys, imported: imported)
        return WalletRecord(
            name: try name(), network: .regtest, createdAt: 1_700_000_000, epoch: epoch, keys: keys, imported: imported,
            shares: keys.parameters.indices.map { index in
                ShareRecord(
                    id: ShareRecord.id(wallet: walletID, index: index.value, epoch: epoch), index: index.value,
                    location: ShareLocation(index: index.value), path: "/shares/\(index.value).vault",
                    createdAt: 1_700_000_000,
                    metadata: .init(threshold: 2, total: 3, purposes: WalletKeyPurpose.allCases, epoch: epoch),
                    device: index.value == 1 ? .tpm : nil)
            })
    }

    /// Descriptions of a wallet made from shares, one imported for Bitcoin, and one for Ethereum.
    static var records: [WalletRecord] {
        get throws {
            let keys = try keys()
            func account(_ point: Secp256k1.Point) -> ExtendedPublicKey {
                ExtendedPublicKey(
                    depth: 3, parentFingerprint: KeyFingerprint(fourBytes: [1, 2, 3, 4]), childNumber: 1 << 31,
                    chainCode: id, point: point)
            }
            let (taproot, ecdsa) = (account(keys.schnorr.publicKey), account(keys.ecdsa.publicKey))
            return [
                try record(), try record(importing: .bitcoin(taproot: taproot, segwit: ecdsa)),
                try record(importing: .ethereum(ecdsa)),
            ]
        }
    }

    /// Exported proposals, and each payload that has a file of its own.
    static func payloadFiles() throws -> [[UInt8]] {
        let payloads = try SeedEthereum.payloads
        let own = payloads.compactMap { payload -> [UInt8]? in
            switch payload {
            case .bitcoinTransaction(let psbt): Array(psbt.base64.utf8)
            case .ethereumTransaction(let transaction, _): transaction.encoded
            case .typedData(_, let document, _): document
            case .bitcoinMessage, .personalMessage, .file: nil
            }
        }
        return try zip(records + records, payloads).map { ProposalFile($1, of: $0).file } + own
    }

    /// The label of a wallet, without and with a former one.
    static func labels() throws -> [[UInt8]] {
        let house = try WalletName("house")
        return [nil, try name()].map { WalletLabel(house, former: $0).encoded }
    }

    static var backlogs: [PassphraseBacklog] {
        var backlog = PassphraseBacklog()
        backlog.insert(.backup, epoch: 1, since: 1_800_000_000)
        backlog.insert(.further(index: 4), epoch: 0, since: 7)
        return [PassphraseBacklog(), backlog]
    }

    static var journals: [RenewalJournal] {
        get throws {
            let (from, to) = (try record(), try record(epoch: 1))
            return [RenewalJournal(from: from, to: to, lost: [.backup]), RenewalJournal(from: from, to: to, lost: [])]
        }
    }

    /// Returns a share with the pair of one peer, one without any, and one that names its counts.
    static func sealedShares() throws -> [[UInt8]] {
        try [([3], nil), ([], nil), ([], [UInt8](repeating: 7, count: 16))].map { (peers: [Int], counts: [UInt8]?) in
            let share = SealedShare(
                keys: try KeyShares(
                    schnorr: schnorr(0).share(1),
                    ecdsa: ECDSA.KeyShare(
                        key: ecdsa(0).share(1), epoch: 0, setup: id,
                        pairs: try peers.map { try ECDSA.Pair(decoding: SeedECDSA.encodedPair(with: $0), at: 0) }),
                    ed25519: ed25519(0).share(1)), record: try record(), countsID: counts)
            return exposed(try share.encoded())
        }
    }

    static func shown() -> ShownAddresses {
        var shown = ShownAddresses()
        for index in [0, 1, 5] as [UInt32] {
            shown.insert(index, in: .init(.taproot, .receive))
            shown.insert(index + 1, in: .init(.segwit, .change))
        }
        return shown
    }

    // MARK: Keystores

    private static let parameters = [
        #""kdf":"scrypt","kdfparams":{"dklen":32,"n":1024,"r":8,"p":1,"salt":"01020304"}"#,
        #""kdf":"pbkdf2","kdfparams":{"c":1000,"dklen":32,"prf":"hmac-sha256","salt":"01020304"}"#,
    ]

    static let keystores = parameters.map { parameters in
        """
        {"version":3,"id":"x","address":"a8049bb68181799124f98e467dd749e120abfa64","crypto":{"cipher":"aes-128-ctr",\
        "cipherparams":{"iv":"8182838485868788898a8b8c8d8e8f90"},\(parameters),\
        "ciphertext":"63dffb1e19430fa16542c1c5ce3c0d6c68c763eb764e118a638e4d819bd0f3c0",\
        "mac":"d0204d69312c667ec7a95a78426a1cb47dddf62ca66e21c6072281d2896371c9"}}
        """
    }

    // MARK: The book

    static func coins() throws -> Set<OutPoint> {
        Set(
            try [0, 1].map { number in
                OutPoint(
                    transaction: try TransactionID(String(repeating: "0\(number)", count: 32)), index: UInt32(number))
            })
    }

    static var history: [HistoryEntry] {
        get throws {
            let ethereum = ConflictSet.ethereum(.ethereum, account: try SeedEthereum.account(0x66), nonce: 3)
            let bitcoin = ConflictSet.bitcoin(.regtest, spending: try coins())
            var ordered = HistoryEntry(
                number: 1, time: 1_700_000_000, proposed: 9, chain: .ethereum(.ethereum), digest: id,
                effects: try SeedEthereum.effects, highestFee: 1_000, conflictSet: ethereum, state: .signed)
            ordered.id = "0xab"
            ordered.transaction = [2, 3]
            ordered.order = OrderIdentity(key: try PaymentKey("invoice-17"), fingerprint: id)
            ordered.hearing = .heard
            func other(_ state: HistoryEntry.State, _ chain: Chain?, _ conflictSet: ConflictSet?) -> HistoryEntry {
                HistoryEntry(
                    number: 0, time: 0, proposed: nil, chain: chain, digest: id, effects: [.nothing], highestFee: nil,
                    conflictSet: conflictSet, state: state)
            }
            var corrected = other(.settled(height: 7), nil, nil)
            (corrected.time, corrected.corrections) = (2_000_000_000, [1_700_000_000, 1_600_000_000])
            return [
                ordered, corrected, other(.reserved, nil, nil), other(.failed, .bitcoin(.regtest), bitcoin),
                other(.sent, nil, nil), other(.mined(height: 800_000), nil, nil), other(.replaced, nil, nil),
                other(.unanswered, .bitcoin(.regtest), bitcoin),
            ]
        }
    }

    static let proposals = [
        StoredProposal(digest: id, times: ClockTimes(first: 7), payload: [1, 2]),
        StoredProposal(
            digest: id, times: ClockTimes(first: 7, [5, 0]), payload: [1],
            order: OrderIdentity(key: nil, paying: [], on: .ethereum(.ethereum), from: 0)),
    ]
}
