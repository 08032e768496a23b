internal import Encoding
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

    /// Signs up, saves the recovery codes, and goes to the account. - Returns: the codes that were shown.
    @discardableResult
    func signUp(as name: String) async throws -> [String] {
        try await browser.waitUntil("the welcome is shown", "!document.getElementById('welcome').hidden")
        try await browser.type(name, into: "#account-name")
        try await browser.click("#sign-up button")
        let codes = try await saveCodes()
        try await waitForAccount()
        return codes
    }

    /// Waits for recovery codes, and types the one back that the page asks for. - Returns: the codes.
    @discardableResult
    func saveCodes() async throws -> [String] {
        try await browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
        let codes = try await browser.texts("#code-list li")
        try await browser.click("#codes-saved")
        // However it was copied: without dashes, and in small letters.
        let code = codes[try await askedCode()].replacing("-", with: " ").lowercased()
        try await browser.type(code, into: "#code-typed")
        try await browser.click("#codes-check button[type=submit]")
        return codes
    }

    /// Which code the page asks for, from 0.
    func askedCode() async throws -> Int {
        let question = try await browser.text("#code-question")
        let number = question.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        guard let number, (1...10).contains(number) else { throw WebDriver.Failure(description: question) }
        return number - 1
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

    /// Deletes the account, as far as the page: its name is typed, and the red button is pressed.
    func erase(_ name: String) async throws {
        try await browser.click("#erase")
        try await browser.waitUntil("the page asks", "document.getElementById('confirm').open")
        try await browser.type(name, into: "#confirm-input")
        try await browser.click("#confirm-yes")
    }

    /// Takes the access token away from all tabs: the next request of any has to renew it.
    func dropAccessToken() async throws {
        _ = try await browser.runAsynchronously(
            """
            const done = arguments[arguments.length - 1];
            indexedDB.open("fueki").onsuccess = (event) => {
                const database = event.target.result;
                const transaction = database.transaction("kept", "readwrite");
                const store = transaction.objectStore("kept");
                store.get("session").onsuccess = (found) => {
                    const { accessToken, ...session } = found.target.result;
                    store.put(session, "session");
                };
                transaction.oncomplete = () => { database.close(); done(true); };
            };
            """)
    }

    /// The names of what the browser keeps for the page: in IndexedDB, and in its other storage.
    func kept() async throws -> [String] {
        try await browser.runAsynchronously(
            """
            const done = arguments[arguments.length - 1];
            indexedDB.open("fueki").onsuccess = (event) => {
                const database = event.target.result;
                database.transaction("kept").objectStore("kept").getAllKeys().onsuccess = (found) => {
                    database.close();
                    done([...found.target.result, ...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
                };
            };
            """
        ).array?.compactMap(\.string) ?? []
    }

    /// Waits until the page complains. - Returns: its words.
    @discardableResult
    func waitForComplaint() async throws -> String {
        try await browser.waitUntil("the page complains", "document.getElementById('error').textContent")
        return try await browser.text("#error")
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
