internal import Encoding
internal import Foundation
internal import TestSupport
internal import Testing

/// Somebody at a browser, on the page of a server, with an authenticator that is plugged in.
struct Person: Sendable {
    let browser: Browser
    let authenticator: String

    /// - Parameter offersInField: whether the browser offers passkeys in the field. The driver's authenticator then answers at once,
    ///   and nobody comes to press the button.
    init(_ driver: WebDriver, at url: String, offersInField: Bool = false, width: Int = 1000) async throws {
        browser = try await Browser(driver, width: width)
        if !offersInField {
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": "PublicKeyCredential.isConditionalMediationAvailable = async () => false"])
        }
        try await browser.open(url)
        authenticator = try await browser.addAuthenticator()
    }

    /// Signs up, and goes to the account. - Returns: the recovery codes that were shown.
    @discardableResult
    func signUp(as name: String) async throws -> [String] {
        try await browser.waitUntil("the welcome is shown", "!document.getElementById('welcome').hidden")
        try await browser.type(name, into: "#account-name")
        try await browser.click("#sign-up button")
        try await browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
        let codes = try await browser.texts("#code-list li")
        try await browser.click("#codes-done")
        try await waitForAccount()
        return codes
    }

    func waitForAccount() async throws {
        try await browser.waitUntil(
            "the account is shown",
            "!document.getElementById('account').hidden && document.querySelector('#sessions li')")
    }

    func waitForWelcome() async throws {
        try await browser.waitUntil("the welcome is shown", "!document.getElementById('welcome').hidden")
    }

    func signOut() async throws {
        try await browser.click("#sign-out")
        try await waitForWelcome()
    }

    func signIn() async throws {
        try await waitForWelcome()
        try await browser.click("#sign-in button")
        try await waitForAccount()
    }

    /// Presses a button of a row, and agrees to what the page asks then.
    func press(_ button: String, in list: String, agreeingTo: Bool = true) async throws {
        try await browser.click("\(list) button[aria-label^='\(button):']")
        if agreeingTo { try await agree() }
    }

    func agree() async throws {
        try await browser.waitUntil("the page asks", "document.getElementById('confirm').open")
        try await browser.click("#confirm-yes")
    }

    /// Waits for words of the page: what it says, or what it complains of.
    func waitForWords(_ words: String) async throws {
        try await browser.waitUntil(
            "“\(words)” is said",
            "['status', 'error'].some(id => document.getElementById(id).innerText.includes(arguments[0]))", words)
    }

    /// What the browser has complained of, but for the answers that ask for a nonce: the first ones to any client.
    func complaints() async throws -> [String] {
        try await browser.complaints().filter { !$0.contains("status of 400") && !$0.contains("status of 401") }
    }
}

/// A server, and the driver of the browsers that visit it.
struct Visit: ~Copyable {
    let folder: TemporaryFolder
    let server: RunningServer
    let driver: WebDriver

    init(_ settings: [String: String] = [:]) async throws {
        let folder = try TemporaryFolder()
        let server = try await RunningServer(
            home: "\(folder.path)/home", RunningServer.unlimited.merging(settings) { _, own in own })
        let driver = try await WebDriver()
        self.folder = folder
        self.server = server
        self.driver = driver
    }

    borrowing func person(offersInField: Bool = false, width: Int = 1000) async throws -> Person {
        try await Person(driver, at: server.url, offersInField: offersInField, width: width)
    }
}
