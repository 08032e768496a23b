internal import Foundation
import TestSupport
import Testing

/// A person at a terminal: what the command shows and what the person types.
@Suite("On a terminal", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct TerminalTests {
    static let passphrase = "correct horse battery staple"

    @Test("a new passphrase is asked for twice, without echo")
    func newPassphrase() throws {
        let fueki = try FuekiCommand()
        let session = try create(
            with: fueki, [("New passphrase: ", Self.passphrase), ("Repeat it: ", Self.passphrase)])
        #expect(session.exit == 0)
        #expect(session.screen.contains("signs with  2 of 3 shares"))
        #expect(!session.screen.contains("horse"))
        // It is that passphrase, and is asked for once.
        let check = try fueki.converse(["wallet", "check", "savings"], answers: [("Passphrase: ", Self.passphrase)])
        #expect(check.exit == 0)
        #expect(check.screen.contains("share 3  recovery  ok"))
        #expect(!check.screen.contains("horse"))
    }

    @Test("deleted characters and control characters are not in the passphrase")
    func editing() throws {
        let fueki = try FuekiCommand()
        // A wrong key and backspace, a key of two bytes, control-Z and a tab; then a line that control-U deletes.
        let typed = "correcx\u{7F}t horsé\u{7F}e\u{1A} battery\t staple"
        let again = "something else\u{15}" + Self.passphrase
        let session = try create(with: fueki, [("New passphrase: ", typed), ("Repeat it: ", again)])
        #expect(session.exit == 0, "\(session.screen)")
        #expect(try check(fueki).status == 0)
    }

    @Test(
        "two that differ, an empty one, and control-C make no wallet",
        arguments: [
            (
                Array(repeating: ["one passphrase", "another passphrase"], count: 3).flatMap(\.self), 64,
                "the two are not the same"
            ),
            (["\u{03}"], 2, "cancelled; nothing was done"),
            (["half\u{03}"], 2, "cancelled; nothing was done"),
            (["one passphrase", "\u{04}"], 2, "cancelled; nothing was done"),
        ] as [([String], Int32, String)])
    func noWallet(typed: [String], exit: Int32, message: String) throws {
        let fueki = try FuekiCommand()
        let questions = Array(repeating: ["New passphrase: ", "Repeat it: "], count: 3).flatMap(\.self)
        let session = try create(with: fueki, Array(zip(questions, typed)))
        #expect(session.exit == exit)
        #expect(session.screen.contains("fueki: ") && session.screen.contains(message))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fueki.folder.path).isEmpty)
    }

    @Test("keys without a character, such as arrows, are not in the passphrase")
    func keys() throws {
        let fueki = try FuekiCommand()
        // An arrow, Delete, F1, control and an arrow, and a lone Escape.
        let typed = "correct\u{1B}[D horse\u{1B}[3~ \u{1B}OPbattery\u{1B}[1;5C staple\u{1B}"
        let session = try create(
            with: fueki, [("New passphrase: ", typed), ("Repeat it: ", Self.passphrase)])
        #expect(session.exit == 0, "\(session.screen)")
        #expect(try check(fueki).status == 0)
    }

    @Test("a character that is not seen is named, and the passphrase is asked for again")
    func invisible() throws {
        let fueki = try FuekiCommand()
        let session = try create(
            with: fueki,
            [
                ("New passphrase: ", "correct\u{A0}horse"), ("New passphrase: ", "correct horse "),
                ("New passphrase: ", "zwo\u{308}lf Boxka\u{308}mpfer"),
                ("Repeat it: ", "zwo\u{308}lf Boxka\u{308}mpfer"),
            ])
        #expect(session.exit == 0, "\(session.screen)")
        #expect(session.screen.contains("NO-BREAK SPACE (U+00A0)"))
        #expect(session.screen.contains("it begins or ends with a space"))
        // The other bytes of the same text open the shares.
        try fueki.folder.write("zw\u{F6}lf Boxk\u{E4}mpfer\n", to: "passphrase")
        #expect(try fueki.run("wallet", "check", "savings", "--passphrase-file", "passphrase").isSuccess)
    }

    private static let proposal = "^ +((?:[a-z]{3,8}-){6}[a-z]{3,8})\r?$"
    private static let typeIt = "Type it (leave it empty to choose another one): "

    @Test("after an empty answer a passphrase of seven words is shown once, on the terminal, and typed once")
    func proposed() throws {
        let fueki = try FuekiCommand()
        let session = try Terminal.run(
            [
                "sh", "-c",
                """
                '\(FuekiCommand.binaries)/fueki' wallet create savings --network regtest --backup-dir backup \
                >result 2>errors
                """,
            ], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
            answers: [
                ("Leave it empty to have one proposed.\r\nNew passphrase: ", ""),
                // A typing error costs no new proposal.
                (Self.typeIt, "{copied}s"), (Self.typeIt, "{copied}"),
            ], copied: Self.proposal)
        #expect(session.exit == 0, "\(session.screen)")
        let proposals = session.screen.matches(of: /(?m)^ {4}((?:[a-z]{3,8}-){6}[a-z]{3,8})$/)
        let words = try String(#require(proposals.first).output.1)
        // Typing is not echoed, and neither standard output nor standard error has the words.
        #expect(session.screen.components(separatedBy: words).count == 2)
        let (result, errors) = (try fueki.folder.read("result"), try fueki.folder.read("errors"))
        #expect(!result.contains(words) && !errors.contains(words))
        #expect(result.contains("signs with  2 of 3 shares") && !errors.contains("warning: this passphrase"))
        #expect(errors.contains("this is not the proposed passphrase; try again"))
        try fueki.folder.write("\(words)\n", to: "passphrase")
        #expect(try fueki.run("wallet", "check", "savings", "--passphrase-file", "passphrase").isSuccess)
    }

    @Test("a proposal is declined by an empty answer: the next one differs, and a passphrase of one's own is accepted")
    func declined() throws {
        let fueki = try FuekiCommand()
        let session = try create(
            with: fueki,
            [
                ("New passphrase: ", ""), (Self.typeIt, ""), ("New passphrase: ", ""), (Self.typeIt, ""),
                ("New passphrase: ", Self.passphrase), ("Repeat it: ", Self.passphrase),
            ])
        #expect(session.exit == 0, "\(session.screen)")
        let proposals = session.screen.matches(of: /(?m)^ {4}((?:[a-z]{3,8}-){6}[a-z]{3,8})$/).map(\.output.1)
        #expect(proposals.count == 2 && Set(proposals).count == 2)
        #expect(try check(fueki).status == 0)
    }

    @Test(
        "a proposal that is not typed makes no wallet",
        arguments: [
            (["", "one", "two", "{copied}x"], "this passphrase cannot be used: it is not the proposed one", 64),
            (["", "", "", "", "", "", "", "", "\u{03}"], "cancelled; nothing was done", 2),
            (["", "{copied}\u{03}"], "cancelled; nothing was done", 2),
        ] as [([String], String, Int32)])
    func untyped(typed: [String], message: String, exit: Int32) throws {
        let fueki = try FuekiCommand()
        let isDeclined = typed.dropLast().allSatisfy(\.isEmpty)
        let session = try fueki.converse(
            ["wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup"],
            answers: typed.enumerated().map { place, text in
                ((isDeclined ? place % 2 : place) == 0 ? "New passphrase: " : Self.typeIt, text)
            }, copied: Self.proposal)
        #expect(session.exit == exit && session.screen.contains(message), "\(session.screen)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fueki.folder.path).isEmpty)
    }

    @Test("nothing is proposed in place of an empty line in a file, or without a terminal")
    func noProposal() throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("\n", to: "empty")
        let command = "fueki wallet create savings --network regtest --backup-dir backup"
        let environment = [
            "PATH": "\(FuekiCommand.binaries):/usr/bin:/bin", "FUEKI_HOME": "\(fueki.folder.path)/home",
        ]
        let file = try Terminal.run(
            ["sh", "-c", "\(command) --passphrase-file empty"], environment: environment, in: fueki.folder.path,
            answers: [])
        #expect(file.exit == 64 && file.screen.contains("the file's first line is empty"), "\(file.screen)")
        #expect(!file.screen.contains("proposed"))
        let detached = try Program.run(
            "/bin/sh", ["-c", "'\(CommandScriptTests.folder)/without-terminal' \(command)"], environment: environment,
            in: fueki.folder.path)
        #expect(detached.status == 64 && detached.errors.contains("use --passphrase-file FILE"), "\(detached.errors)")
        #expect(!(detached.output + detached.errors).contains("proposed"))
    }

    @Test(
        "a weak passphrase is advised against with the reason, and accepted after y",
        arguments: [
            ("Password123!", "is one of the first that are tried"), ("1234512345", "repeats one text"),
            ("abcdefghqwertyuiop", "follows the alphabet, the digits or a row of keys"),
            ("2026-11-30 05554321", "has only digits"),
            ("my Savings passphrase", "is little more than the wallet's name"),
            ("brief", "is short"),
        ])
    func weak(passphrase: String, reason: String) throws {
        let fueki = try FuekiCommand()
        let session = try create(
            with: fueki,
            [
                ("New passphrase: ", passphrase), ("Repeat it: ", passphrase), ("Continue anyway? [y/N] ", "y"),
            ])
        #expect(session.exit == 0, "\(session.screen)")
        let screen = session.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(screen.contains("warning: this passphrase \(reason). A thief of 2 share files"), "\(session.screen)")
        #expect(try fueki.run("wallet", "check", "savings", "--passphrase-file", "-", input: passphrase).isSuccess)
    }

    @Test("two different entries are asked for again, and a short passphrase is advised against")
    func again() throws {
        let fueki = try FuekiCommand()
        let twice = { (passphrase: String, second: String) in
            [("New passphrase: ", passphrase), ("Repeat it: ", second)]
        }
        let short = "Continue anyway? [y/N] "
        let session = try create(
            with: fueki,
            twice(Self.passphrase, "correct hose") + twice("short", "short") + [(short, "n")] + twice("brief", "brief")
                + [(short, "y")])
        #expect(session.exit == 0, "\(session.screen)")
        #expect(session.screen.contains("these two are not the same; try again"))
        #expect(session.screen.contains("warning: this passphrase is short."))
        try fueki.folder.write("brief\n", to: "passphrase")
        #expect(try fueki.run("wallet", "check", "savings", "--passphrase-file", "passphrase").isSuccess)
    }

    @Test("with --yes a short passphrase is taken without a question, and the warning stays")
    func yes() throws {
        let fueki = try FuekiCommand()
        let session = try fueki.converse(
            ["wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--yes"],
            answers: [("New passphrase: ", "short"), ("Repeat it: ", "short")])
        #expect(session.exit == 0, "\(session.screen)")
        #expect(session.screen.contains("warning: this passphrase is short."))
        #expect(!session.screen.contains("[y/N]"))
    }

    @Test("the terminal's echo returns, however the question ended", arguments: ["a passphrase", "", "\u{03}"])
    func echo(answer: String) throws {
        let fueki = try FuekiCommand()
        let script = "'\(FuekiCommand.binaries)/fueki' wallet check nobody; stty -a"
        // Without the wallet there is no question: the control.
        let before = try Terminal.run(["sh", "-c", script], in: fueki.folder.path, answers: [])
        #expect(isEchoing(before))

        let wallet = try create(
            with: fueki, [("New passphrase: ", Self.passphrase), ("Repeat it: ", Self.passphrase)])
        #expect(wallet.exit == 0)
        let after = try Terminal.run(
            ["sh", "-c", "'\(FuekiCommand.binaries)/fueki' wallet check savings; stty -a"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
            answers: [("Passphrase: ", answer)])
        #expect(isEchoing(after), "\(after.screen)")
    }

    @Test(
        "the words of a mnemonic are not shown while they are typed, and the echo returns, also after control-C",
        arguments: [
            ("legal winner thank year wave sausage worth useful legal winner thank yellow", true),
            ("legal winner thank year wave sausage\u{03}", false),
        ])
    func mnemonic(typed: String, isTaken: Bool) throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("\(Self.passphrase)\n", to: "passphrase")
        _ = try Program.run("/bin/chmod", ["600", "\(fueki.folder.path)/passphrase"])
        let session = try Terminal.run(
            [
                "sh", "-c",
                "'\(FuekiCommand.binaries)/fueki' wallet import savings --network regtest --backup-dir backup "
                    + "--passphrase-file passphrase; echo \"ended by $?\"; stty -a",
            ], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
            answers: [("The words, in one line: ", typed)])
        #expect(session.screen.contains("The words, in one line: "), "\(session.screen)")
        #expect(!session.screen.contains("winner") && !session.screen.contains("sausage"), "\(session.screen)")
        #expect(session.screen.contains("ended by \(isTaken ? 0 : 2)"), "\(session.screen)")
        #expect(isEchoing(session), "\(session.screen)")
    }

    /// Waits until the terminal is silent, sends the command the given `signals` (by Python, since a shell makes its
    /// background commands ignore INT and QUIT), and returns how the command ended.
    ///
    /// - Parameter ignored: signals, by their Python names, that the command ignores from the beginning.
    private func signal(
        _ signals: String, to fueki: borrowing FuekiCommand, ignoring ignored: String = ""
    ) throws -> Terminal.Session {
        let wallet = try create(
            with: fueki, [("New passphrase: ", Self.passphrase), ("Repeat it: ", Self.passphrase)])
        #expect(wallet.exit == 0)
        let script = """
            silent() { until stty -a </dev/tty | grep -q -e '-echo '; do sleep 0.02; done; }
            loud() { until stty -a </dev/tty | grep -q -e ' echo '; do sleep 0.02; done; }
            python3 -c 'import os, signal, sys
            for number in (signal.SIGINT, signal.SIGQUIT): signal.signal(number, signal.SIG_DFL)
            for number in (\(ignored)): signal.signal(number, signal.SIG_IGN)
            os.execv(sys.argv[1], sys.argv[1:])' '\(FuekiCommand.binaries)/fueki' wallet check savings & pid=$!
            silent; \(signals); wait $pid; echo "ended by $?"; stty -a </dev/tty
            """
        return try Terminal.run(
            ["bash", "-c", script], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"],
            in: fueki.folder.path, answers: [])
    }

    @Test(
        "a signal at the question ends the command, and the terminal echoes again",
        arguments: [("TERM", 15), ("HUP", 1), ("QUIT", 3), ("INT", 2)])
    func signals(name: String, number: Int) throws {
        let session = try signal("kill -\(name) $pid", to: try FuekiCommand())
        #expect(session.screen.contains("ended by \(128 + number)"), "\(session.screen)")
        #expect(isEchoing(session), "\(session.screen)")
    }

    @Test("a signal ignored under nohup is ignored at the question as well, and any other signal ends the command")
    func ignored() throws {
        let session = try signal(
            "kill -HUP $pid; kill -INT $pid; kill -0 $pid && echo 'goes on'; kill -TERM $pid",
            to: try FuekiCommand(), ignoring: "signal.SIGHUP, signal.SIGINT")
        #expect(session.screen.contains("goes on") && session.screen.contains("ended by 143"), "\(session.screen)")
        #expect(isEchoing(session), "\(session.screen)")
    }

    @Test("a command stopped at the question restores the echo, and turns it off when it continues")
    func stopped() throws {
        let session = try signal(
            "kill -TSTP $pid; loud; kill -CONT $pid; silent; kill -TERM $pid", to: try FuekiCommand())
        #expect(session.screen.contains("ended by 143"), "\(session.screen)")
        #expect(isEchoing(session), "\(session.screen)")
    }

    @Test(
        "a payment is shown and signed after y or yes, and after nothing else",
        arguments: [
            ("y", true), ("yes", true), ("Y", true), ("n", false), ("", false), ("yess", false), ("\u{04}", false),
        ])
    func confirmation(answer: String, isSigned: Bool) throws {
        let fueki = try FuekiCommand()
        try makePayment(with: fueki)
        let session = try sign(with: fueki, answer)
        // The whole subject is above the question, wherever the other streams go.
        let shown = session.screen.prefix { $0 != "?" }
        for line in [
            "Pay 0.4 BTC to bcrt1pqqqq…ws5gfa, fee 10000 sat", "savings, on bitcoin:regtest", "0.40000000 BTC",
            "digest ",
            "Sign this",
        ] {
            #expect(shown.contains(line), "\(line)")
        }
        #expect(session.exit == (isSigned ? 0 : 2))
        #expect(session.screen.contains(isSigned ? "1 input signed" : "fueki: not signed: you did not confirm"))
        #expect(FileManager.default.fileExists(atPath: "\(fueki.folder.path)/signed.psbt") == isSigned)
    }

    @Test(
        "what a reshare or a repair is about is shown, and done after y or yes, and after nothing else",
        arguments: ["reshare", "repair"],
        [("y", true), ("n", false), ("", false), ("\u{04}", false), ("\u{03}", false)])
    func renewal(command: String, answer: (typed: String, isDone: Bool)) throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write(Self.passphrase, to: "passphrase")
        _ = try fueki.json(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase", as: JSON.self)
        if command == "repair" {
            try FileManager.default.removeItem(atPath: "\(fueki.folder.path)/backup/fueki-savings-backup.vault")
        }
        let (arguments, subject, question) =
            command == "reshare"
            ? (
                ["--threshold", "2", "--shares", "2", "--backup-dir", "new"],
                "'savings' has 3 shares now, with threshold 2.",
                "Make 2 new shares, with threshold 2, and remove the old ones?"
            )
            : (
                ["--lost", "backup", "--to", "new"], "Lost of 'savings': backup.", "Make new shares for all places?"
            )
        // The passphrase is asked for after the question, and only if the answer was yes.
        let session = try fueki.converse(
            ["wallet", command, "savings"] + arguments,
            answers: [(question + " [y/N] ", answer.typed)] + (answer.isDone ? [("Passphrase: ", Self.passphrase)] : [])
        )
        let shown = session.screen.prefix { $0 != "?" }
        #expect(
            shown.contains(subject) && shown.contains("there is no folder new; it will be made"), "\(session.screen)")
        #expect(session.exit == (answer.isDone ? 0 : answer.typed == "\u{03}" ? -2 : 2), "\(session.screen)")
        #expect(!session.screen.contains("horse"))
        #expect(answer.isDone == session.screen.contains("renewed      1 time"))
        if !answer.isDone, answer.typed != "\u{03}" {
            #expect(session.screen.contains("fueki: nothing was changed: you did not confirm"))
        }
        #expect(FileManager.default.fileExists(atPath: "\(fueki.folder.path)/new") == answer.isDone)
    }

    @Test("a missing share or a wrong passphrase is reported before anything is shown and asked")
    func beforeTheQuestion() throws {
        let fueki = try FuekiCommand()
        try makePayment(with: fueki)
        let arguments = ["psbt", "sign", "savings", "payment.psbt", "-o", "signed.psbt", "--with", "device,backup"]
        // Without a book, nothing has verified the passphrase yet.
        let wrong = try fueki.converse(arguments, answers: [("Passphrase: ", "another one")])
        #expect(wrong.exit == 3, "\(wrong.screen)")
        #expect(!wrong.screen.contains("Sign this") && !wrong.screen.contains("0.40000000 BTC"))
        try FileManager.default.removeItem(atPath: "\(fueki.folder.path)/backup")
        let away = try fueki.converse(arguments, answers: [("Passphrase: ", Self.passphrase)])
        #expect(away.exit == 4, "\(away.screen)")
        #expect(away.screen.contains("the backup share is not at"))
        #expect(away.screen.contains("there is no folder") && away.screen.contains("connect the stick or disk"))
        #expect(!away.screen.contains("Sign this") && !away.screen.contains("0.40000000 BTC"))
        // A rehearsal still shows what would be signed.
        let rehearsal = try fueki.run(arguments + ["--passphrase-file", "passphrase", "--dry-run"])
        #expect(rehearsal.isSuccess && rehearsal.output.contains("0.40000000 BTC"), "\(rehearsal.errors)")
    }

    @Test("control-C at the question ends the command, and nothing is signed")
    func interruption() throws {
        let fueki = try FuekiCommand()
        try makePayment(with: fueki)
        let session = try sign(with: fueki, "\u{03}")
        #expect(session.exit == -2)
        #expect(!FileManager.default.fileExists(atPath: "\(fueki.folder.path)/signed.psbt"))
    }

    @Test("with --json the question is also asked on the terminal, with its whole subject")
    func confirmationWithJSON() throws {
        let fueki = try FuekiCommand()
        try makePayment(with: fueki)
        let session = try Terminal.run(
            [
                "sh", "-c",
                """
                '\(FuekiCommand.binaries)/fueki' psbt sign savings payment.psbt -o signed.psbt --json \
                --passphrase-file passphrase >result.json 2>errors
                """,
            ], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
            answers: [("Sign this? [y/N] ", "y")])
        #expect(session.exit == 0)
        #expect(session.screen.contains("Pay 0.4 BTC to bcrt1pqqqq…ws5gfa"))
        #expect(try fueki.folder.read("result.json").hasPrefix("{"))
        #expect(try fueki.folder.read("errors") == "")
    }
}

extension TerminalTests {
    private func create(
        with fueki: borrowing FuekiCommand, _ answers: [(question: String, answer: String)]
    ) throws -> Terminal.Session {
        try fueki.converse(
            ["wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup"], answers: answers)
    }

    private func check(_ fueki: borrowing FuekiCommand) throws -> Program.Outcome {
        try fueki.run("wallet", "check", "savings", "--passphrase-file", "-", input: Self.passphrase)
    }

    /// A wallet, and `payment.psbt` from it.
    private func makePayment(with fueki: borrowing FuekiCommand) throws {
        try fueki.folder.write(Self.passphrase, to: "passphrase")
        _ = try fueki.json(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase", as: JSON.self)
        let made = try Program.run(
            "/bin/sh", ["-c", "'\(CommandScriptTests.folder)/payment' savings >payment.psbt"],
            environment: [
                "PATH": "\(FuekiCommand.binaries):/usr/bin:/bin", "FUEKI_HOME": "\(fueki.folder.path)/home",
            ], in: fueki.folder.path)
        #expect(made.isSuccess, "\(made.errors)")
    }

    private func sign(with fueki: borrowing FuekiCommand, _ answer: String) throws -> Terminal.Session {
        try fueki.converse(
            ["psbt", "sign", "savings", "payment.psbt", "-o", "signed.psbt", "--passphrase-file", "passphrase"],
            answers: [("Sign this? [y/N] ", answer)])
    }

    private func isEchoing(_ session: Terminal.Session) -> Bool {
        session.screen.split(whereSeparator: \.isWhitespace).contains { $0 == "echo" || $0 == "echo;" }
    }
}
