extension SegwitAddress {
    /// The fault in the text of an address, with the positions of the wrong characters, so that a user can compare them
    /// with the original.
    ///
    /// - Warning: It never contains the right letters. An address that was corrected by a guess passes every check, and
    ///   may belong to another person; BIP-173 advises against offering one.
    public enum Fault: Error, Hashable, Sendable {
        /// Capital and small letters are mixed. The offsets are those of the case with fewer letters.
        case mixedCase(offsets: [Int])
        /// The characters at these offsets do not occur in an address.
        case foreignCharacters(offsets: [Int])
        /// The text has too few or too many characters: an address that begins like this one has one of the expected
        /// lengths.
        case length(count: Int, expected: [Int])
        /// The characters at these one or two offsets are probably mistyped: changing them alone makes the checksum
        /// match. Three or more mistyped characters can, rarely, point to others.
        case mistyped(offsets: [Int])
        /// The checksum is that of another witness version (BIP-350): an outdated or faulty program wrote the address.
        case otherChecksum
        /// The checksum does not match, and one or two characters do not explain it: more are mistyped.
        case badChecksum
        /// The checksum matches, but the standard does not allow the version or the program.
        case unknownProgram
    }

    /// Returns the fault of a text that was meant as an address.
    ///
    /// Offsets count characters from the start of the text. The work is bounded: a text that is too long is not
    /// searched.
    ///
    /// - Parameter prefixes: the human-readable parts that an address may have, in lower case: `bc`, `tb`.
    /// - Returns: nil if the text is an address with one of these prefixes, or does not resemble one: it does not begin
    ///   with one of the prefixes, and a change of at most two characters does not make it an address.
    public static func fault(in text: String, prefixes: [String]) -> Fault? {
        if let (hrp, _, _) = try? decode(text), prefixes.contains(hrp) { return nil }
        // A text that is too long has the wrong length, whatever follows.
        let characters = Array(text.prefix(EncodingLimits.bech32Characters + 1))
        let lowered = characters.map { $0.isASCII ? Character($0.lowercased()) : $0 }
        let starts = prefixes.map { Array($0 + "1") }
        guard let start = starts.first(where: { lowered.starts(with: $0) }) else {
            // Another prefix is assumed only if the checksum proves it.
            return starts.lazy.compactMap { mistyped(lowered, after: $0) }.first.map { .mistyped(offsets: $0) }
        }

        let upper = characters.indices.filter { characters[$0].isASCII && characters[$0].isUppercase }
        let lower = characters.indices.filter { characters[$0].isASCII && characters[$0].isLowercase }
        guard upper.isEmpty || lower.isEmpty else {
            return .mixedCase(offsets: upper.count <= lower.count ? upper : lower)
        }
        let foreign = lowered.indices.dropFirst(start.count).filter { Bech32.value(of: lowered[$0]) == nil }
        guard foreign.isEmpty else { return .foreignCharacters(offsets: foreign) }
        if let expected = lengths(after: start.count, version: lowered.dropFirst(start.count).first),
            !expected.contains(characters.count)
        {
            return .length(count: text.count, expected: expected)
        }
        if let offsets = mistyped(lowered, after: start) { return .mistyped(offsets: offsets) }
        guard let (_, data5, checksum) = try? Bech32.decode(String(lowered)) else { return .badChecksum }
        guard let version = data5.first, version <= 16 else { return .unknownProgram }
        return checksum == self.checksum(version: Int(version)) ? .unknownProgram : .otherChecksum
    }

    /// Returns the lengths in characters of addresses of a version; nil for later versions, whose lengths are not
    /// fixed.
    private static func lengths(after start: Int, version: Character?) -> [Int]? {
        switch version {
        // Version, checksum, and the program: 20 or 32 bytes in groups of five bits.
        case "q": [start + 1 + 32 + 6, start + 1 + 52 + 6]
        case "p": [start + 1 + 52 + 6]
        case nil: [start + 1 + 32 + 6, start + 1 + 52 + 6]
        default: nil
        }
    }

    /// Returns the positions of the fewest characters, at most two, whose change makes the text an address; nil if a
    /// change of two does not, or if different positions explain the fault equally well.
    private static func mistyped(_ text: [Character], after start: [Character]) -> [Int]? {
        guard text.count > start.count, text.count <= EncodingLimits.bech32Characters else { return nil }
        let inStart = start.indices.filter { text[$0] != start[$0] }
        guard inStart.count <= 2 else { return nil }
        let values = text.dropFirst(start.count).compactMap(Bech32.value(of:))
        guard values.count == text.count - start.count else { return nil }
        let hrp = String(start.dropLast())
        let found = Bech32.Checksum.allCases.compactMap { checksum -> [(offset: Int, change: UInt8)]? in
            guard
                let changes = Bech32.changes(
                    to: values, after: hrp, toward: checksum, atMost: 2 - inStart.count)
            else { return nil }
            var mended = values
            for (offset, change) in changes { mended[offset] ^= change }
            // The checksum has to be the one of the version, and the version has to allow the program.
            guard let version = mended.first, version <= 16, self.checksum(version: Int(version)) == checksum,
                let program = try? Bech32.bytes(ofGroups5: mended.dropFirst().dropLast(Bech32.checksumCount)),
                isAllowed(size: program.count, version: Int(version))
            else { return nil }
            return changes
        }
        let fewest = found.map(\.count).min()
        let best = found.filter { $0.count == fewest }
        guard best.count == 1, let changes = best.first, !(changes.isEmpty && inStart.isEmpty) else { return nil }
        return inStart + changes.map { start.count + $0.offset }.sorted()
    }
}
