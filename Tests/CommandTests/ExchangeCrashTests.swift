internal import Foundation
import TestSupport
import Testing

/// A command about a key is killed at each of its writes, and the same command is given again.
@Suite(
    "A command about a key that was killed",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)), .serialized)
struct ExchangeCrashTests {
    private static let key = "8wYlDpWL9mFQ/XkWqvA+E3mYlTb/KZrVnF4uJZt0aOqTqk+S1hGgB7mP"
    private static let next = "Z" + key.dropFirst()
    private static let secret =
        "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=="

    private struct List: Decodable {
        struct Key: Decodable {
            let label: String
            let key: String
        }
        let keys: [Key]
        let revoked: [Revoked]
        struct Revoked: Decodable { let label: String }
    }

    private func make(withKey: Bool) throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        for (name, text) in [
            ("passphrase", "correct horse battery staple"), ("key", Self.key), ("next", Self.next),
            ("secret", Self.secret),
        ] {
            try fueki.folder.write(text + "\n", to: name)
            _ = try Program.run("/bin/chmod", ["600", "\(fueki.folder.path)/\(name)"])
        }
        if withKey { #expect(try fueki.run(Self.add).isSuccess) }
        return fueki
    }

    private static let add = [
        "exchange", "add", "main", "--exchange", "kraken", "--key-file", "key", "--secret-file", "secret",
        "--passphrase-file", "passphrase",
    ]
    private static let revoke = ["exchange", "revoke-local", "main", "--yes", "--passphrase-file", "passphrase"]

    /// The files that the commands write.
    private func files(of fueki: borrowing FuekiCommand) -> [String] {
        let folder = "\(fueki.folder.path)/home/exchanges"
        return ["\(folder)/keys.vault", "\(folder)/keys.seen/any", "\(folder)/state/any", "\(folder)/state.seen/any"]
    }

    private func list(_ fueki: borrowing FuekiCommand) throws -> List {
        try fueki.json("exchange", "list", "--passphrase-file", "passphrase")
    }

    /// Runs `control-exchange`, and returns what it prints.
    @discardableResult
    private func control(_ endpoint: String, _ words: String...) throws -> String {
        let asked = try Program.run(
            "\(CommandScriptTests.folder)/control-exchange", words, environment: ["EXCHANGE": endpoint])
        #expect(asked.isSuccess, "\(asked.errors)")
        return asked.output
    }

    /// Kills a command at each of its renames, each time in a new home.
    private func killed(
        _ arguments: [String], withKey: Bool, _ check: (borrowing FuekiCommand, Int) throws -> Void
    ) throws {
        try killed(arguments, make: { try make(withKey: withKey) }) { fueki, step, _ in try check(fueki, step) }
    }

    private func killed(
        _ arguments: [String], make: () throws -> FuekiCommand,
        _ check: (borrowing FuekiCommand, Int, Program.Outcome) throws -> Void
    ) throws {
        let calm = try make()
        let trace = try Strace.run(calm, arguments, on: files(of: calm))
        #expect(trace.outcome.isSuccess, "\(trace.outcome.errors)")
        let steps = CrashPoints(trace: trace.calls).numbers(of: "renameat")
        var killings = 0
        for step in steps {
            let fueki = try make()
            let run = try Strace.run(
                fueki, arguments, on: files(of: fueki), injecting: "renameat:signal=KILL:when=\(step)")
            if run.wasTampered { killings += 1 }
            try check(fueki, step, run.outcome)
        }
        #expect(killings > 0, "none of \(steps)")
    }

    @Test("a key whose storing was killed is stored by the same command, once")
    func add() throws {
        try killed(Self.add, withKey: false) { fueki, step in
            let again = try fueki.run(Self.add)
            #expect(again.isSuccess || again.status == 73, "\(step): \(again.errors)")
            #expect(try list(fueki).keys.map(\.key) == ["8wYl…"], "\(step)")
        }
    }

    @Test("a revocation that was killed is finished by the same command, and leaves no key")
    func revoke() throws {
        try killed(Self.revoke, withKey: true) { fueki, step in
            let again = try fueki.run(Self.revoke)
            #expect(again.isSuccess, "\(step): \(again.errors)")
            #expect(again.output.contains("1. delete the key at Kraken"))
            let list = try list(fueki)
            #expect(list.keys.isEmpty && list.revoked.map(\.label) == ["main"], "\(step)")
            #expect(try fueki.run(Self.add).status == 2, "\(step)")
        }
    }

    @Test("an order whose command was killed is placed once: the same command tells what became of it")
    func order() throws {
        let peer = try PeerExchange(krakenKey: Self.key, secret: Self.secret)
        let endpoint = "http://127.0.0.1:\(peer.port)"
        try control(endpoint, "set \(Self.key) decay=1000")
        let order = [
            "exchange", "order", "main", "buy", "0.01", "XBTUSD", "--price", "30000", "--yes", "--endpoint", endpoint,
            "--passphrase-file", "passphrase",
        ]
        var known = 0
        var found = 0
        /// Whether the exchange has an order more than at the last call.
        func isPlaced() throws -> Bool {
            // An id has four hyphens.
            let count = try control(endpoint).count(where: { $0 == "-" }) / 4
            defer { known = count }
            return count > known
        }
        func make() throws -> FuekiCommand {
            let fueki = try self.make(withKey: true)
            _ = try isPlaced()
            #expect(try fueki.run("config", "set", "order-limit.kraken.XBTUSD", "1").isSuccess)
            return fueki
        }
        try killed(order, make: make) { fueki, step, run in
            // What was killed before the order left is looked for until the exchange can no longer accept it: the tests of
            // the library have the time for that.
            guard try isPlaced() else { return }
            let again = try fueki.run(order)
            #expect(again.isSuccess, "\(step): \(again.errors)")
            let isTold = again.output.contains("an earlier command sent it")
            // A command that told the outcome before it was killed was about another order.
            #expect(isTold || run.output.contains("Kraken has the order"), "\(step)")
            #expect(try isPlaced() != isTold, "\(step): placed twice")
            found += 1
        }
        #expect(found > 0)
    }

    @Test("after a rotation that was killed a key works, and the same command leaves the new one only")
    func rotate() throws {
        let peer = try PeerExchange(krakenKey: Self.key, secret: Self.secret)
        let endpoint = "http://127.0.0.1:\(peer.port)"
        // Every step asks the one exchange: its counter of calls must not end the test.
        try control(endpoint, "set \(Self.key) decay=1000")
        try control(endpoint, "set \(Self.next) known=1 decay=1000")
        let rotate = [
            "exchange", "rotate", "main", "--key-file", "next", "--secret-file", "secret", "--yes", "--endpoint",
            endpoint, "--passphrase-file", "passphrase",
        ]
        try killed(rotate, withKey: true) { fueki, step in
            let balance = try fueki.run(
                "exchange", "balance", "main", "--endpoint", endpoint, "--passphrase-file", "passphrase")
            #expect(balance.isSuccess, "\(step): \(balance.errors)")
            let again = try fueki.run(rotate)
            #expect(again.isSuccess || again.status == 73, "\(step): \(again.errors)")
            #expect(try list(fueki).keys.map(\.key) == ["ZwYl…"], "\(step)")
        }
    }
}
