#if os(Linux)
    internal import Foundation
    internal import SecretStoreTestSupport
    internal import SecureStorage
    internal import TestSupport
    internal import Testing

    @testable internal import Keyrings

    @Suite("Secret Service: finding the session bus")
    struct SessionBusTests {
        private func store(_ environment: [String: String], library: String = "libsecret-1.so.0") -> SecretServiceStore
        {
            SecretServiceStore(
                environment: environment, prompting: .never, limit: .seconds(Patience.seconds), library: library)
        }

        @Test("QwenPaw#4263: a display without a session bus is an error at once, and no bus is started")
        func displayWithoutBus() async throws {
            // The limit is ten minutes: a wait would be noticed.
            for environment in [["DISPLAY": ":0"], [:], ["DISPLAY": ":0", "XDG_RUNTIME_DIR": "/nonexistent"]] {
                let store = store(environment)
                #expect(await store.unavailability() == .unavailable(.noSessionBus))
                await #expect(throws: SecureStorageError.service(.unavailable(.noSessionBus))) {
                    try await store.save(secret("x"), as: try name("a"), attributes: .sensitive(.other))
                }
            }
        }

        @Test(
            "an address that starts a program or leads to another machine is not used",
            arguments: [
                "autolaunch:", "unixexec:path=/bin/true", "tcp:host=127.0.0.1,port=1", "unix:path=/x;autolaunch:",
                "nonce-tcp:host=localhost", "unix:runtime=yes", "unix:dir=/tmp", ";", "unix:path=/a b", "launchd:env=X",
            ])
        func foreignAddress(_ address: String) async {
            #expect(SessionBus(in: ["DBUS_SESSION_BUS_ADDRESS": address]) == nil)
            let fault = await store(["DBUS_SESSION_BUS_ADDRESS": address]).unavailability()
            #expect(fault == .unavailable(.noSessionBus))
        }

        @Test("the socket in the runtime folder is the bus if no address is set")
        func runtimeFolder() throws {
            let folder = try TemporaryFolder()
            #expect(SessionBus(in: ["XDG_RUNTIME_DIR": folder.path]) == nil)
            // A file in place of the socket is not a bus.
            try folder.write("", to: "bus")
            #expect(SessionBus(in: ["XDG_RUNTIME_DIR": folder.path]) == nil)
            try FileManager.default.removeItem(atPath: "\(folder.path)/bus")
            let listener = try Listener(at: "\(folder.path)/bus")
            #expect(SessionBus(in: ["XDG_RUNTIME_DIR": folder.path])?.address == "unix:path=\(folder.path)/bus")
            #expect(
                SessionBus(in: ["XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"])?.address
                    == "unix:path=/b")
            _ = listener
        }

        @Test("a path with special characters is written as the specification of D-Bus says")
        func escapes() throws {
            let folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/a;b,c=d%", withIntermediateDirectories: false)
            let listener = try Listener(at: "\(folder.path)/a;b,c=d%/bus")
            #expect(
                SessionBus(in: ["XDG_RUNTIME_DIR": "\(folder.path)/a;b,c=d%"])?.address
                    == "unix:path=\(folder.path)/a%3bb%2cc%3dd%25/bus")
            _ = listener
        }

        @Test(
            "a socket that nothing listens on, and an address without a socket, are an error at once",
            .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
        func deadBus() async throws {
            let folder = try TemporaryFolder()
            for address in ["unix:path=\(folder.path)/none", "unix:abstract=fueki-none-\(UUID().uuidString)"] {
                let fault = await store(["DBUS_SESSION_BUS_ADDRESS": address]).unavailability()
                #expect(fault == .unavailable(.noSessionBus))
            }
        }

        @Test(
            "a bus that accepts connections and never answers: calls end at the limit, and the thread comes back",
            .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
        func silentBus() async throws {
            let folder = try TemporaryFolder()
            let listener = try Listener(at: "\(folder.path)/bus")
            let store = SecretServiceStore(
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"], prompting: .never,
                limit: .milliseconds(300))
            // A later call reaches the bus again only if the earlier one's thread has come back.
            var seen = 0
            for _ in 0..<3 {
                #expect(await store.unavailability() == .timedOut)
                try await Patience.wait(for: "a connection") {
                    if listener.accept() { seen += 1 } else { #expect(await store.unavailability() == .timedOut) }
                    return seen > 1
                }
            }
            #expect(seen > 1)
        }

        @Test("gemini-cli#26571: a store that is only created loads no library and connects to nothing")
        func untouched() async throws {
            let folder = try TemporaryFolder()
            let listener = try Listener(at: "\(folder.path)/bus")
            let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
            // Loading this library would fail.
            let store = store(environment, library: "libsecret-missing.so.0")
            #expect(store.backend == .secretService)
            #expect(!listener.accept())
            let fault = await store.unavailability()
            #expect(fault == .unavailable(.library("libsecret-missing.so.0")))
            #expect(!listener.accept())
            // Requests that are refused anyway do not need the service.
            await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
                try await store.save(secret(""), as: try name("a"), attributes: .sensitive(.other))
            }
            await #expect(throws: SecureStorageError.notHonoured(.whenUnlocked)) {
                let attributes = try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: .whenUnlocked)
                try await store.save(secret("x"), as: try name("a"), attributes: attributes)
            }
        }

        @Test("without a bus, libsecret is not loaded either")
        func libraryOnlyWithBus() async {
            #expect(await store([:], library: "libsecret-missing.so.0").unavailability() == .unavailable(.noSessionBus))
        }

        @Test("a library that lacks a function counts as missing")
        func otherLibrary() async {
            let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
            #expect(
                await store(environment, library: "libc.so.6").unavailability() == .unavailable(.library("libc.so.6")))
        }
    }

    /// A socket that accepts connections and never answers.
    private final class Listener: Sendable {
        private let descriptor: Int32

        init(at path: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard bound == 0, listen(descriptor, 64) == 0 else { throw DesktopFailure(description: "no socket") }
        }

        deinit { close(descriptor) }

        /// Accepts a connection, which stays open. - Returns: whether there was one.
        func accept() -> Bool { Foundation.accept(descriptor, nil, nil) >= 0 }
    }
#endif
