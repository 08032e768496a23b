internal import Encoding
internal import Files
public import HDKeys

/// The addresses of a wallet that this machine has shown to the user, who may have given them to others
/// ([format](../../../docs/formats/shown-addresses.md)).
///
/// They determine how far to look for coins, and which address is next, and nothing else. The file is not sealed,
/// because an address is shown without a passphrase; so every program that can write to the home can change it.
public struct ShownAddresses: Equatable, Sendable {
    /// The addresses of one type, to receive or for change.
    public struct Row: Hashable, Sendable {
        /// The type of the addresses.
        public let type: WalletAddress.Kind
        /// Whether the addresses are for receiving or for change.
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

    /// The shown indices, in order; no two ranges touch.
    private var ranges: [Row: [ClosedRange<UInt32>]] = [:]

    /// Indices from this one on are not remembered: commands would look for coins at all addresses before them.
    public static let bound = Limits.rememberedIndex

    /// Creates a record in which no address was shown.
    public init() {}

    /// Returns whether the address was shown. It may also be true for others, after more were shown than can be
    /// remembered.
    public func contains(_ index: UInt32, in row: Row) -> Bool {
        ranges[row]?.contains { $0.contains(index) } ?? false
    }

    /// Returns the highest index that was shown, plus one; 0 if none was.
    public func end(of row: Row) -> UInt32 { ranges[row]?.last.map { $0.upperBound + 1 } ?? 0 }

    /// Returns the lowest indices that were not shown.
    public func free(_ count: Int, in row: Row) -> [UInt32] {
        Array((0..<Self.bound).lazy.filter { !contains($0, in: row) }.prefix(count))
    }

    /// Adds an index. An index from ``bound`` on changes nothing.
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
        // If there are too many ranges, the two nearest ones are joined: more addresses are searched, never fewer.
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

    /// Returns the contents of the file.
    ///
    /// - Parameter wallet: the wallet's id, so that a file of an earlier wallet of the same name is ignored.
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

    /// - Returns: nil for a file of another wallet, or a damaged one.
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
    /// Returns the addresses that were shown on this machine; empty if that is not known.
    public func shownAddresses(of wallet: WalletRecord) -> ShownAddresses {
        let bytes = try? AtomicFile.read(
            shownAddressesPath(of: wallet.name), limit: Limits.shownAddressesSize, access: .anyone)
        return bytes.flatMap { ShownAddresses(decoding: $0, for: wallet.walletID) } ?? ShownAddresses()
    }

    /// Records that an address is shown. When it returns, the record is durable on the disk.
    ///
    /// - Returns: the addresses that were shown before.
    /// - Throws: ``CustodyError/file(_:)``.
    @discardableResult
    public func noteShown(
        _ index: UInt32, in row: ShownAddresses.Row, of wallet: WalletRecord
    ) async throws(CustodyError) -> ShownAddresses {
        try await changeShown(of: wallet) { (shown) throws(CustodyError) in shown.insert(index, in: row) }.before
    }

    /// Chooses the lowest address that was not shown, and records it. Two concurrent calls give two different
    /// addresses.
    ///
    /// - Parameter isFree: whether the address is unused: a node may know that it was paid.
    /// - Returns: nil if no address that can be remembered is free.
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
        // No other process writes between this reading and writing. The writing takes the file's own lock.
        let lock = try await turn(at: path + ".turn")
        defer { withExtendedLifetime(lock) {} }
        let before = shownAddresses(of: wallet)
        var after = before
        try change(&after)
        guard after != before else { return (before, after) }
        do throws(FileError) {
            try AtomicFile.write(after.encoded(for: wallet.walletID), to: path, replacing: .allowed)
        } catch { throw .file(error) }
        return (before, after)
    }

    /// Waits a few seconds for another process that shows an address.
    private func turn(at path: String) async throws(CustodyError) -> FileLock {
        var attempts = 100
        while true {
            do throws(FileError) { return try FileLock(on: path) } catch {
                attempts -= 1
                guard case .lockedByAnother = error, attempts > 0 else { throw .file(error) }
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Returns the path of the file of ``ShownAddresses``.
    func shownAddressesPath(of name: WalletName) -> String { "\(folder(of: name))/shown.json" }
}
