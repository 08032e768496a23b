internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import ServerHTTP

@Suite("The service manager")
struct ServiceManagerTests {
    @Test("each message is one datagram to the socket in the environment")
    func messages() throws {
        let folder = try TemporaryFolder()
        let inbox = try Inbox(at: "\(folder.path)/notify")
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": inbox.path]))
        for message in [ServiceManager.Message.ready, .alive, .stopping] { #expect(manager.send(message)) }
        #expect([inbox.next(), inbox.next(), inbox.next()] == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
        #expect(manager.interval == nil)
    }

    @Test("a manager that has gone away is not waited for, and causes no error")
    func absent() throws {
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/notify"]))
        #expect(!manager.send(.ready))
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "@fueki-nobody-listens"])?.send(.ready) == false)
    }

    @Test(
        "what is no address of a socket is no manager",
        arguments: [nil, "", "/", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200)])
    func addresses(_ text: String?) {
        #expect(ServiceManager(environment: text.map { ["NOTIFY_SOCKET": $0] } ?? [:]) == nil)
    }

    @Test("the manager is notified twice per watchdog interval, if the watchdog is for this process")
    func watchdog() {
        func interval(_ more: [String: String]) -> Duration? {
            ServiceManager(environment: ["NOTIFY_SOCKET": "/run/n"].merging(more) { $1 }, process: 7)?.interval
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
        for text in ["", "0", "-1", "x"] { #expect(interval(["WATCHDOG_USEC": text]) == nil) }
    }
}
