/// The steps that change a wallet's passphrase, from the state of each file.
///
/// The steps keep one invariant: at every moment one of the two passphrases opens all reachable files. First every file
/// gets the new passphrase beside the old one. Then each is sealed again with the new one alone, beginning with a file
/// that needs a chip, which cannot have both. Before that first sealing the old passphrase opens all files, and from it on
/// the new one does.
struct PassphraseChangePlan: Equatable, Sendable {
    /// The state of a file before the change.
    enum State: Equatable, Sendable {
        /// It is open for writing.
        ///
        /// - Parameters:
        ///   - slots: the number of passphrases that it has. They may include one of an interrupted change to yet
        ///     another passphrase.
        ///   - isBound: whether it needs a chip, and can therefore have one passphrase only.
        case open(by: PassphraseOpener, slots: Int, isBound: Bool)
        /// It opens, but cannot be written.
        ///
        /// - Parameter slots: the number of passphrases that it has.
        case readOnly(by: PassphraseOpener, slots: Int)
        /// Neither passphrase opens it.
        case neither
        /// The file is missing, or its place is not connected.
        case away
        /// It is an older copy than the last one on this machine.
        case stale

        /// Whether the new passphrase, and no other one, opens the file.
        fileprivate var isDone: Bool {
            switch self {
            case .open(let opener, let slots, _), .readOnly(let opener, let slots): opener != .old && slots == 1
            case .neither, .away, .stale: false
            }
        }
    }

    /// The reason to change nothing.
    enum Refusal: Error, Equatable, Sendable {
        /// Neither passphrase opens this file.
        case neither(PassphraseFile)
        /// No share file is open for writing.
        case nothingReachable
        /// The passphrases are the same, and every file that is open has one passphrase.
        case same
    }

    /// The files that get the new passphrase beside the old one, in order.
    let additions: [PassphraseFile]
    /// The files that are sealed again with the new passphrase alone, in order.
    let rekeyings: [PassphraseFile]
    /// The files that the change does not reach, and that the new passphrase may not open.
    let unreached: [PassphraseFile]
    /// The files among ``unreached`` that open, so that they are known to need the change, and cannot be written.
    let unwritable: [PassphraseFile]
    /// Whether the change was completed before: the book has the new passphrase alone. A file that is away now was then
    /// listed as unreached, or changed.
    let isCompletion: Bool

    /// - Parameters:
    ///   - states: the state of each file, in the order of the shares, with the book last.
    ///   - isSame: whether the new passphrase is the present one: an interrupted change is ended then.
    init(_ states: [(file: PassphraseFile, state: State)], isSame: Bool) throws(Refusal) {
        for (file, state) in states where state == .neither { throw .neither(file) }
        var additions: [PassphraseFile] = []
        var (bound, unbound): ([PassphraseFile], [PassphraseFile]) = ([], [])
        var hasShare = false
        for (file, state) in states {
            guard case .open(let opener, _, let isBound) = state else { continue }
            if case .share = file { hasShare = true }
            if state.isDone { continue }
            if opener == .old, !isBound { additions.append(file) }
            if isBound { bound.append(file) } else { unbound.append(file) }
        }
        guard hasShare else { throw .nothingReachable }
        if isSame, bound.isEmpty, unbound.isEmpty { throw .same }
        self.additions = additions
        rekeyings = bound + unbound
        unreached = states.compactMap { file, state in
            switch state {
            case .open, .neither: nil
            case .readOnly, .away, .stale: state.isDone ? nil : file
            }
        }
        unwritable = states.compactMap { file, state in
            if case .readOnly = state, !state.isDone { file } else { nil }
        }
        isCompletion = states.contains { $0.file == .book && $0.state.isDone }
    }
}
