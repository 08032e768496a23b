internal import Encoding
internal import Foundation
internal import ServerHTTP
internal import TestSupport

/// A Chromium with its own profile: one person's device.
struct Browser: Sendable {
    private let driver: WebDriver
    private let path: String

    /// Opens one, without a window on any screen.
    ///
    /// - Parameter language: what the browser asks servers for.
    init(_ driver: WebDriver, width: Int = 1000, height: Int = 900, language: String = "en-US") async throws {
        self.driver = driver
        var arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            .string("--window-size=\(width),\(height)"), "--no-first-run", "--disable-background-networking",
        ]
        arguments.append("--disable-component-update")
        arguments.append(.string("--lang=\(language)"))
        let options: JSON = [
            "binary": .string(Peer.chromium ?? "chromium"), "args": .array(arguments),
            "prefs": ["intl.accept_languages": .string(language)],
        ]
        let answer = try await driver.command(
            "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "browserName": "chrome", "goog:chromeOptions": options,
                        "goog:loggingPrefs": ["browser": "ALL"],
                    ]
                ]
            ])
        guard let id = answer["sessionId"]?.string else { throw WebDriver.Failure(description: "there is no session") }
        path = "/session/\(id)"
    }

    func close() async throws { try await driver.command("DELETE", path) }

    @discardableResult
    private func command(_ method: String, _ command: String, _ body: JSON? = nil) async throws -> JSON {
        try await driver.command(method, path + command, body)
    }

    // MARK: Pages

    func open(_ url: String) async throws { try await command("POST", "/url", ["url": .string(url)]) }

    func reload() async throws { try await command("POST", "/refresh", [:]) }

    /// Returns the `return` value of a script.
    @discardableResult
    func run(_ script: String, _ arguments: JSON...) async throws -> JSON {
        try await command("POST", "/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Returns the value with which the page calls its last argument.
    func runAsynchronously(_ script: String, _ arguments: JSON...) async throws -> JSON {
        try await command("POST", "/execute/async", ["script": .string(script), "args": .array(arguments)])
    }

    /// Sends a command of the browser's own protocol.
    @discardableResult
    func devTools(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await command("POST", "/goog/cdp/execute", ["cmd": .string(method), "params": parameters])
    }

    /// Returns the messages of the page and the browser since the last call, from warnings on.
    func complaints() async throws -> [String] {
        let entries = try await command("POST", "/se/log", ["type": "browser"]).array ?? []
        return entries.filter { ["WARNING", "SEVERE"].contains($0["level"]?.string) }
            .compactMap { $0["message"]?.string }
    }

    func screenshot() async throws -> Data {
        guard let data = Data(base64Encoded: try await command("GET", "/screenshot").string ?? "") else {
            throw WebDriver.Failure(description: "the screenshot is no base64")
        }
        return data
    }

    // MARK: Elements

    private func element(_ selector: String) async throws -> String {
        let found = try await command(
            "POST", "/element", ["using": "css selector", "value": .string(selector)])
        guard let id = found.object?.members.first?.value.string else {
            throw WebDriver.Failure(description: "\(selector): there is none")
        }
        return "/element/\(id)"
    }

    /// Clicks as a person would: it fails if another element covers it, or it does not exist.
    func click(_ selector: String) async throws {
        try await waitUntil(
            "\(selector) is enabled", "document.querySelector(arguments[0])?.disabled === false", selector)
        try await command("POST", "\(try await element(selector))/click", [:])
    }

    /// Clicks an element that is not a control.
    func clickAnything(_ selector: String) async throws {
        try await command("POST", "\(try await element(selector))/click", [:])
    }

    func type(_ text: String, into selector: String) async throws {
        let element = try await element(selector)
        try await command("POST", "\(element)/clear", [:])
        try await command("POST", "\(element)/value", ["text": .string(text)])
    }

    /// Presses keys in order, wherever the focus is.
    func press(_ keys: String...) async throws {
        let actions = keys.flatMap { key -> [JSON] in
            [["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)]]
        }
        try await command(
            "POST", "/actions", ["actions": [["type": "key", "id": "keyboard", "actions": .array(actions)]]])
    }

    /// Returns the visible text of an element; empty if it is hidden.
    func text(_ selector: String) async throws -> String {
        try await command("GET", "\(try await element(selector))/text").string ?? ""
    }

    /// Returns the visible texts of all matching elements.
    func texts(_ selector: String) async throws -> [String] {
        try await run("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", .string(selector))
            .array?.compactMap(\.string) ?? []
    }

    /// Waits until the expression is true on the page; its `arguments` are the texts. On a page that is being loaded an
    /// element may not be there yet: an expression that throws is not true.
    func waitUntil(_ what: String, _ expression: String, _ arguments: String...) async throws {
        do {
            try await Patience.wait(for: what) {
                try await command(
                    "POST", "/execute/sync",
                    [
                        "script": .string("try { return !!(\(expression)); } catch { return false; }"),
                        "args": .array(arguments.map(JSON.string)),
                    ]
                ).bool == true
            }
        } catch let exhausted as Patience.Exhausted {
            let shown = try await run("return document.body.innerText").string ?? ""
            throw WebDriver.Failure(description: "\(exhausted.description). The page: \(shown)")
        }
    }

    // MARK: Windows

    var window: String {
        get async throws { try await command("GET", "/window").string ?? "" }
    }

    /// All tabs that are open.
    var windows: [String] {
        get async throws { try await command("GET", "/window/handles").array?.compactMap(\.string) ?? [] }
    }

    /// Opens another tab of the same profile, and goes there.
    func openTab() async throws -> String {
        let handle = try await command("POST", "/window/new", ["type": "tab"])["handle"] ?? .null
        try await command("POST", "/window", ["handle": handle])
        return handle.string ?? ""
    }

    func switchTo(_ window: String) async throws {
        try await command("POST", "/window", ["handle": .string(window)])
    }

    // MARK: Authenticators (WebAuthn Level 3, section 11)

    /// Connects an authenticator that stores passkeys, and whose owner is present and agrees.
    ///
    /// - Returns: its id.
    func addAuthenticator() async throws -> String {
        try await command(
            "POST", "/webauthn/authenticator",
            [
                "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
                "isUserConsenting": true, "isUserVerified": true,
            ]
        ).string ?? ""
    }

    func removeAuthenticator(_ id: String) async throws { try await command("DELETE", "/webauthn/authenticator/\(id)") }

    func setUserVerified(_ isVerified: Bool, _ id: String) async throws {
        try await command(
            "POST", "/webauthn/authenticator/\(id)/uv", ["isUserVerified": .bool(isVerified)])
    }

    /// Returns its passkeys, including private keys.
    func credentials(_ id: String) async throws -> [JSON] {
        try await command("GET", "/webauthn/authenticator/\(id)/credentials").array ?? []
    }

    func addCredential(_ credential: JSON, _ id: String) async throws {
        try await command("POST", "/webauthn/authenticator/\(id)/credential", credential)
    }
}
