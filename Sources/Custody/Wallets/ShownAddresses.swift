internal import Encoding
public import HDKeys
internal import SecureStorage
internal import Wallet

/// Which of a wallet's addresses this machine has shown to a person, who may have given them to others
/// ([format](../../../docs/formats/shown-addresses.md)).
///
/// It says how far to look for coins, and which address is the next. Nothing else is concluded from it: it lies unsealed beside
/// `wallet.json`, because an address is shown without a passphrase, and anybody who writes to the home can change it.
public struct ShownAddresses: Equatable, Sendable {
    /// The addresses of one type, to receive or for change.
    public struct Row: Hashable, Sendable {
        /// The type of the addresses.
        public let type: WalletAddress.Kind
        /// Whether they receive, or are for change.
        public let chain: AddressPath.Chain

        /// Creates a row.
        public init(_ type: WalletAddress.Kind, _ chain: AddressPath.Chain) {
            self.type = type
            self.chain = chain
        }

        fileprivate static let all = [WalletAddress.Kind.taproot, .segwit].flatMap { type in
            AddressPath.Chain.allCases.map { Row(type, $0) }
        }
    }

    /// The indices, in order; no two ranges touch.
    private var ranges: [Row: [ClosedRange<UInt32>]] = [:]

    /// Indices from here on are not remembered: commands would look for coins at all addresses before them.
    public static let bound = Limits.rememberedIndex

    /// Creates a record in which no address was shown.
    public init() {}

    /// Whether it was shown; also true for some that were not, once more than can be remembered were.
    public func contains(_ index: UInt32, in row: Row) -> Bool {
        ranges[row]?.contains { $0.contains(index) } ?? false
    }

    /// One more than the highest index that was shown; 0 if none was.
    public func end(of row: Row) -> UInt32 { ranges[row]?.last.map { $0.upperBound + 1 } ?? 0 }

    /// The lowest indices that were not shown.
    public func free(_ count: Int, in row: Row) -> [UInt32] {
        Array((0..<Self.bound).lazy.filter { !contains($0, in: row) }.prefix(count))
    }

    /// Adds an index; one from ``bound`` on changes nothing.
    mutating func insert(_ index: UInt32, in row: Row) {
        guard index < Self.bound, !contains(index, in: row) else { return }
        var merged: [ClosedRange<UInt32>] = []
        for range in ((ranges[row] ?? []) + [index...index]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound + 1 >= range.lowerBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        // Where there are too many, the two that are nearest to each other become one: more is looked at, never less.
        while merged.count > Limits.shownRanges {
            let gaps = zip(merged, merged.dropFirst()).map { $1.lowerBound - $0.upperBound }
            guard let nearest = gaps.indices.min(by: { gaps[$0] < gaps[$1] }) else { break }
            merged[nearest] = merged[nearest].lowerBound...merged[nearest + 1].upperBound
            merged.remove(at: nearest + 1)
        }
        ranges[row] = merged
    }
}

// MARK: - Format

extension ShownAddresses {
    private static let version: Int64 = 1

    /// - Parameter wallet: its id, by which a file that another wallet of the same name left behind is passed over.
    func encoded(for wallet: [UInt8]) -> [UInt8] {
        let rows = Row.all.compactMap { row -> JSON? in
            guard let ranges = ranges[row] else { return nil }
            return [
                "type": .string(row.type.rawValue), "for": .string(row.chain.label),
                "indices": .array(
                    ranges.map { .array([JSON(Int64($0.lowerBound)), JSON(Int64($0.upperBound))]) }),
            ]
        }
        let json: JSON = [
            "version": JSON(Self.version), "wallet": .string(Hex.encode(wallet)), "shown": .array(rows),
        ]
        return json.encoded + [0x0A]
    }

    /// - Returns: nil for a file of another wallet, or that is damaged in any way.
    init?(decoding bytes: [UInt8], for wallet: [UInt8]) {
        guard let json = try? JSON(decoding: bytes, limit: Limits.shownAddressesSize),
            json["version"]?.number?.integer(as: Int64.self) == Self.version,
            json["wallet"]?.string == Hex.encode(wallet), let rows = json["shown"]?.array
        else { return nil }
        for entry in rows {
            let row = Row.all.first {
                $0.type.rawValue == entry["type"]?.string && $0.chain.label == entry["for"]?.string
            }
            guard let row, ranges[row] == nil, let pairs = entry["indices"]?.array,
                (1...Limits.shownRanges).contains(pairs.count)
            else { return nil }
            var read: [ClosedRange<UInt32>] = []
            for pair in pairs {
                let ends = pair.array?.compactMap { $0.number?.integer(as: UInt32.self) } ?? []
                guard ends.count == 2, ends[0] <= ends[1], ends[1] < Self.bound,
                    read.last.map({ $0.upperBound + 1 < ends[0] }) ?? true
                else { return nil }
                read.append(ends[0]...ends[1])
            }
            ranges[row] = read
        }
    }
}

extension AddressPath.Chain {
    fileprivate var label: String { self == .receive ? "receive" : "change" }
}

// MARK: - File

extension WalletHome {
    /// What was shown on this machine; nothing where that is not known.
    public func shownAddresses(of wallet: WalletRecord) -> ShownAddresses {
        let bytes = try? AtomicFile.read(
            shownAddressesPath(of: wallet.name), limit: Limits.shownAddressesSize, access: .anyone)
        return bytes.flatMap { ShownAddresses(decoding: $0, for: wallet.walletID) } ?? ShownAddresses()
    }

    /// Remembers that an address is shown. When it returns, that is on the disk to stay.
    ///
    /// - Returns: what was shown before.
    /// - Throws: ``CustodyError/file(_:)``.
    @discardableResult
    public func noteShown(
        _ index: UInt32, in row: ShownAddresses.Row, of wallet: WalletRecord
    ) async throws(CustodyError) -> ShownAddresses {
        try await changeShown(of: wallet) { (shown) throws(CustodyError) in shown.insert(index, in: row) }.before
    }

    /// Chooses the lowest address that was not shown, and remembers it: two calls at once give two different ones.
    ///
    /// - Parameter isFree: whether it can be given to somebody: a node may know that it was paid.
    /// - Returns: nil if none of those that can be remembered is free.
    /// - Throws: ``CustodyError/file(_:)``.
    public func takeAddress(
        in row: ShownAddresses.Row, of wallet: WalletRecord, if isFree: (UInt32) -> Bool = { _ in true }
    ) async throws(CustodyError) -> UInt32? {
        var taken: UInt32?
        _ = try await changeShown(of: wallet) { (shown) throws(CustodyError) in
            taken = (0..<ShownAddresses.bound).first { !shown.contains($0, in: row) && isFree($0) }
            if let taken { shown.insert(taken, in: row) }
        }
        return taken
    }

    private func changeShown(
        of wallet: WalletRecord, _ change: (inout ShownAddresses) throws(CustodyError) -> Void
    ) async throws(CustodyError) -> (before: ShownAddresses, after: ShownAddresses) {
        let path = shownAddressesPath(of: wallet.name)
        // From reading to writing nobody else writes. The file's own lock is taken by the writing.
        let lock = try await turn(at: path + ".turn")
        defer { withExtendedLifetime(lock) {} }
        let before = shownAddresses(of: wallet)
        var after = before
        try change(&after)
        guard after != before else { return (before, after) }
        do throws(SecureStorageError) {
            try AtomicFile.write(after.encoded(for: wallet.walletID), to: path, replacing: .allowed)
        } catch { throw .file(error) }
        return (before, after)
    }

    /// Waits a few seconds for another process that shows an address.
    private func turn(at path: String) async throws(CustodyError) -> FileLock {
        var attempts = 100
        while true {
            do throws(SecureStorageError) { return try FileLock(on: path) } catch {
                attempts -= 1
                guard case .lockedByAnother = error, attempts > 0 else { throw .file(error) }
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// See ``ShownAddresses``.
    func shownAddressesPath(of name: WalletName) -> String { "\(folder(of: name))/shown.json" }
}
