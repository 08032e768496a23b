internal import Encoding
internal import ServerHTTP
internal import TestSupport
internal import Testing

/// A person at a browser, on the page of a server, with a connected authenticator.
struct Person: Sendable {
    let browser: Browser
    let authenticator: String

    /// - Parameter offersInField: whether the browser offers passkeys in the field. The driver's authenticator then answers at once,
    ///   and nobody comes to press the button.
    init(
        _ driver: WebDriver, at url: String, offersInField: Bool = false, width: Int = 1000, language: String = "en-US"
    ) async throws {
        browser = try await Browser(driver, width: width, language: language)
        if !offersInField {
            try await browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": "PublicKeyCredential.isConditionalMediationAvailable = async () => false"])
        }
        try await browser.open(url)
        authenticator = try await browser.addAuthenticator()
    }

    /// Signs up, saves the recovery codes, and goes to the account.
    ///
    /// - Returns: the codes.
    @discardableResult
    func signUp(as name: String) async throws -> [String] {
        try await openCreation()
        try await browser.type(name, into: "#account-name")
        try await browser.click("#sign-up button")
        let codes = try await saveCodes()
        try await waitForAccount()
        return codes
    }

    /// Goes from the welcome to where an account is made.
    func openCreation() async throws {
        try await waitForWelcome()
        try await browser.clickAnything("#to-create")
        try await browser.waitUntil("the form is shown", "!document.getElementById('create').hidden")
    }

    /// Waits for recovery codes, and types the one back that the page asks for. - Returns: the codes.
    @discardableResult
    func saveCodes() async throws -> [String] {
        try await browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
        let codes = try await browser.texts("#code-list li")
        try await browser.click("#codes-saved")
        // In another spelling: without dashes, and in lower case.
        let code = codes[try await askedCode()].replacing("-", with: " ").lowercased()
        try await browser.type(code, into: "#code-typed")
        try await browser.click("#codes-check button[type=submit]")
        return codes
    }

    /// The index of the code that the page asks for, from 0.
    func askedCode() async throws -> Int {
        let question = try await browser.text("#code-question")
        let number = question.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        guard let number, (1...10).contains(number) else { throw WebDriver.Failure(description: question) }
        return number - 1
    }

    func waitForAccount() async throws {
        try await browser.waitUntil(
            "the account is shown",
            "!document.getElementById('account').hidden && document.querySelector('#devices .session')")
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

    /// Presses a button of a row, and confirms the page's question.
    func press(_ button: String, in list: String, agreeingTo: Bool = true) async throws {
        try await browser.click("\(list) button[aria-label^='\(button):']")
        if agreeingTo { try await agree() }
    }

    func agree() async throws {
        try await browser.waitUntil("the page asks", "document.getElementById('confirm').open")
        try await browser.click("#confirm-yes")
    }

    /// Deletes the account on the page: types its name, and presses the red button.
    func erase(_ name: String) async throws {
        try await browser.click("#erase")
        try await browser.waitUntil("the page asks", "document.getElementById('confirm').open")
        try await browser.type(name, into: "#confirm-input")
        try await browser.click("#confirm-yes")
    }

    /// Holds every timer of a second or more, on this page and on those that are loaded after it, until ``passTime()``.
    func holdTimers() async throws {
        let script = """
            const [set, clear, held] = [window.setTimeout, window.clearTimeout, new Map()];
            let last = 0;
            window.setTimeout = (run, delay, ...values) => {
                if (!(delay >= 1000)) return set(run, delay, ...values);
                held.set(last -= 1, () => run(...values));
                return last;
            };
            window.clearTimeout = (timer) => { if (!held.delete(timer)) clear(timer); };
            window.heldTimers = () => held.size;
            window.passTime = () => {
                const due = [...held.values()];
                held.clear();
                for (const run of due) run();
            };
            """
        try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string("{\(script)}")])
        try await browser.run(script)
    }

    /// Waits until a timer is held, and lets all held ones fire.
    func passTime() async throws {
        try await browser.waitUntil("a timer is held", "window.heldTimers() > 0")
        try await browser.run("window.passTime()")
    }

    /// Removes the access token from all tabs: the next request of any has to renew it.
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

    /// Returns the names of the browser's data for the page: in IndexedDB, and in its other storage.
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

    /// Waits for an error message of the page, and returns it.
    @discardableResult
    func waitForComplaint() async throws -> String {
        try await browser.waitUntil("the page complains", "document.getElementById('error').textContent")
        return try await browser.text("#error")
    }

    /// Waits for a text of the page: a message or an error.
    func waitForWords(_ words: String) async throws {
        try await browser.waitUntil(
            "“\(words)” is said",
            "['status', 'error'].some(id => document.getElementById(id).innerText.includes(arguments[0]))", words)
    }

    /// Returns the browser's messages, except those for answers that ask for a nonce: the first answers to any client.
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

    borrowing func person(
        offersInField: Bool = false, width: Int = 1000, language: String = "en-US"
    ) async throws -> Person {
        try await Person(driver, at: server.url, offersInField: offersInField, width: width, language: language)
    }
}
