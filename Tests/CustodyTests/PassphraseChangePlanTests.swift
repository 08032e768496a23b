import Testing

@testable import Custody

@Suite("The plan of a change of the passphrase")
struct PassphraseChangePlanTests {
    private typealias State = PassphraseChangePlan.State

    private static let device = PassphraseFile.share(.device)
    private static let backup = PassphraseFile.share(.backup)

    private static let old = State.open(by: .old, slots: 1, isBound: false)
    private static let both = State.open(by: .both, slots: 2, isBound: false)
    private static let new = State.open(by: .new, slots: 1, isBound: false)

    private func plan(
        _ device: State, _ backup: State, book: State = old, isSame: Bool = false
    ) throws(PassphraseChangePlan.Refusal) -> PassphraseChangePlan {
        try PassphraseChangePlan([(Self.device, device), (Self.backup, backup), (.book, book)], isSame: isSame)
    }

    @Test("at first every file gets the new passphrase, and then each is sealed again, the book last")
    func first() throws {
        let plan = try plan(Self.old, Self.old)
        #expect(plan.additions == [Self.device, Self.backup, .book])
        #expect(plan.rekeyings == [Self.device, Self.backup, .book])
        #expect(plan.unreached.isEmpty && !plan.isCompletion)
    }

    @Test("a file that needs a chip is never added to, and is sealed first")
    func bound() throws {
        let bound = State.open(by: .old, slots: 1, isBound: true)
        for plan in [
            try plan(bound, Self.old),
            try PassphraseChangePlan(
                [(Self.backup, Self.old), (Self.device, bound), (.book, Self.old)], isSame: false),
        ] {
            #expect(plan.additions == [Self.backup, .book])
            #expect(plan.rekeyings == [Self.device, Self.backup, .book])
        }
    }

    @Test("a missing, older or unwritable file is not reached; one that the new passphrase opens alone needs nothing")
    func unreached() throws {
        for state in [
            State.away, .stale, .readOnly(by: .old, slots: 1), .readOnly(by: .both, slots: 2),
            .readOnly(by: .new, slots: 2),
        ] {
            let plan = try plan(Self.old, state)
            #expect(plan.unreached == [Self.backup])
            #expect(plan.unwritable == (state == .away || state == .stale ? [] : [Self.backup]))
            #expect(plan.additions == [Self.device, .book])
        }
        #expect(try plan(Self.old, .readOnly(by: .new, slots: 1)).unreached.isEmpty)
    }

    @Test("a file that opens with neither passphrase prevents everything")
    func neither() {
        #expect(throws: PassphraseChangePlan.Refusal.neither(Self.backup)) { try plan(Self.old, .neither) }
        #expect(throws: PassphraseChangePlan.Refusal.neither(Self.device)) {
            try plan(.neither, Self.new, book: Self.new, isSame: true)
        }
    }

    @Test("without a share file that can be written nothing is changed")
    func nothingReachable() {
        for state in [State.away, .stale, .readOnly(by: .old, slots: 1)] {
            #expect(throws: PassphraseChangePlan.Refusal.nothingReachable) { try plan(state, .away) }
        }
    }

    @Test("the same passphrase ends an interrupted change, and is refused otherwise")
    func same() throws {
        let one = State.open(by: .both, slots: 1, isBound: false)
        #expect(throws: PassphraseChangePlan.Refusal.same) { try plan(one, .away, book: one, isSame: true) }
        let ending = try plan(one, Self.both, book: one, isSame: true)
        // A file that cannot be written, and that the passphrase opens alone, needs nothing.
        let readOnly = try PassphraseChangePlan(
            [(Self.device, Self.both), (Self.backup, .readOnly(by: .both, slots: 1)), (.book, one)], isSame: true)
        #expect(readOnly.unreached.isEmpty && readOnly.rekeyings == [Self.device])
        #expect(ending.additions.isEmpty && ending.rekeyings == [Self.backup] && ending.isCompletion)
    }

    @Test("after a completed change there is nothing to do, and a file that comes back is changed alone")
    func completed() throws {
        let done = try plan(Self.new, .away, book: Self.new)
        #expect(done.additions.isEmpty && done.rekeyings.isEmpty && done.isCompletion)
        let back = try plan(Self.new, Self.old, book: Self.new)
        #expect(back.additions == [Self.backup] && back.rekeyings == [Self.backup] && back.isCompletion)
    }

    /// A model of the files of a wallet: the passphrases that open each one.
    private struct Model {
        var files: [(file: PassphraseFile, openers: Set<String>, isBound: Bool)]

        /// The passphrases of the change that open every file.
        var common: Set<String> {
            files.reduce(["old", "new"]) { $0.intersection($1.openers) }
        }

        var states: [(file: PassphraseFile, state: PassphraseChangePlan.State)] {
            files.map { file, openers, isBound in
                let opener: PassphraseOpener? =
                    switch (openers.contains("old"), openers.contains("new")) {
                    case (true, true): .both
                    case (true, false): .old
                    case (false, true): .new
                    case (false, false): nil
                    }
                return (file, opener.map { .open(by: $0, slots: openers.count, isBound: isBound) } ?? .neither)
            }
        }

        mutating func change(_ file: PassphraseFile, _ body: (inout Set<String>) -> Void) {
            for index in files.indices where files[index].file == file { body(&files[index].openers) }
        }
    }

    @Test(
        "from every mixture of states, one passphrase opens all files at every moment once one does, and each interruption can be completed",
        arguments: [false, true])
    func invariant(isBound: Bool) throws {
        let plain: [Set<String>] = [["old"], ["new"], ["old", "new"], ["old", "third"], ["new", "third"]]
        var plans = 0
        for device in isBound ? [["old"], ["new"]] : plain {
            for backup in plain {
                for book in plain {
                    var model = Model(files: [
                        (Self.device, device, isBound), (Self.backup, backup, false), (.book, book, false),
                    ])
                    let plan = try PassphraseChangePlan(model.states, isSame: false)
                    plans += 1
                    var held = !model.common.isEmpty
                    func check(_ model: Model) throws {
                        if held { #expect(!model.common.isEmpty, "\(device) \(backup) \(book): \(model.files)") }
                        held = held || !model.common.isEmpty
                        // The same change again, from here.
                        var again = model
                        let plan = try PassphraseChangePlan(model.states, isSame: false)
                        for file in plan.additions { again.change(file) { $0.insert("new") } }
                        for file in plan.rekeyings { again.change(file) { $0 = ["new"] } }
                        #expect(again.files.allSatisfy { $0.openers == ["new"] }, "\(device) \(backup) \(book)")
                    }
                    try check(model)
                    for file in plan.additions {
                        model.change(file) { $0.insert("new") }
                        try check(model)
                    }
                    for file in plan.rekeyings {
                        model.change(file) { $0 = ["new"] }
                        try check(model)
                    }
                }
            }
        }
        #expect(plans == (isBound ? 50 : 125))
    }
}
