internal import Encoding
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension BrowserTests {
    @Suite(
        "In Chromium, tabs of one page", .serialized,
        .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct Tabs {
        private static let refreshes =
            #"fuekid_requests_total{method="POST",path="/api/auth/token/validate",status="200"}"#

        @Test("eight tabs opened at once cost one refresh, and a reload costs none while the access token is valid")
        func eightTabs() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await ada.browser.reload()
            try await ada.waitForAccount()
            #expect(try await visit.server.metric(Self.refreshes) == 0)

            try await ada.dropAccessToken()
            let first = try await ada.browser.window
            try await ada.browser.run("for (let i = 0; i < 8; i += 1) window.open(location.href, '_blank', 'noopener')")
            var others: [String] = []
            try await Patience.wait(for: "eight tabs") {
                others = try await ada.browser.windows.filter { $0 != first }
                return others.count == 8
            }
            for tab in others {
                try await ada.browser.switchTo(tab)
                try await ada.waitForAccount()
                #expect(try await ada.browser.text("#account-title") == "Ada")
            }
            #expect(try await visit.server.metric(Self.refreshes) == 1)
            #expect(try await visit.server.events("refresh_token_reused") == 0)

            // When one tab signs out, the others do at their next request, without another session.
            try await ada.signOut()
            try await ada.browser.switchTo(first)
            try await ada.browser.click("#sign-out-everywhere")
            try await ada.waitForWords("You were signed out. Sign in again.")
            try await ada.waitForWelcome()
            #expect(try await !ada.kept().contains("session"))
            try await ada.browser.close()
        }

        @Test("a tab that waits for another says so, and continues when it can")
        func heldLock() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            let first = try await ada.browser.window
            // Like a tab that is frozen during a renewal.
            try await ada.browser.run(
                "navigator.locks.request('fueki-refresh', () => new Promise((resolve) => { window.letGo = resolve }))")
            try await ada.dropAccessToken()
            let second = try await ada.browser.openTab()
            // The other tab waits for a moment in place of five seconds.
            try await ada.browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    const timeout = AbortSignal.timeout.bind(AbortSignal);
                    AbortSignal.timeout = (delay) => timeout(delay === 5_000 ? 250 : delay);
                    """
                ])
            try await ada.browser.open(visit.server.url)
            try await ada.waitForWords("Another tab of this page is renewing your sign-in.")
            #expect(try await visit.server.metric(Self.refreshes) == 0)
            try await ada.browser.switchTo(first)
            try await ada.browser.run("window.letGo()")
            try await ada.browser.switchTo(second)
            try await ada.waitForAccount()
            #expect(try await visit.server.metric(Self.refreshes) == 1)
            try await ada.browser.waitUntil(
                "nothing is said then", "!document.getElementById('status').textContent")
            try await ada.browser.close()
        }

        @Test("a tab that is rate limited says for how long, holds no lock meanwhile, and stays signed in")
        func rateLimited() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await ada.holdTimers()
            try await ada.dropAccessToken()
            try await ada.browser.run(
                """
                const send = window.fetch;
                window.refusals = 2;
                window.fetch = async (path, options) => {
                    if (!path.endsWith("token/validate") || window.refusals === 0) return send(path, options);
                    window.refusals -= 1;
                    return Response.json({ code: "rate_limited", retry_after: 2 }, { status: 429 });
                };
                """)
            try await ada.browser.click("#sign-out-everywhere")
            try await ada.waitForWords("The page tries again in 2 seconds. You stay signed in.")
            let held = try await ada.browser.runAsynchronously(
                "navigator.locks.query().then(({ held }) => arguments[0](held.map((lock) => lock.name)))")
            #expect(held.array?.isEmpty == true)
            for refusals in [1, 0] {
                try await ada.browser.waitUntil("it is refused", "window.refusals === \(refusals)")
                try await ada.passTime()
            }
            try await ada.waitForWords("All other sessions were signed out.")
            #expect(try await visit.server.metric(Self.refreshes) == 1)
            try await ada.browser.close()
        }

        @Test("tabs that renew their tokens at the same time stay signed in, even without a lock between them")
        func unlocked() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            let first = try await ada.browser.window
            let second = try await ada.browser.openTab()
            let script: JSON = ["source": "navigator.locks.request = async (...all) => all.at(-1)()"]
            for tab in [first, second] {
                try await ada.browser.switchTo(tab)
                try await ada.browser.devTools("Page.addScriptToEvaluateOnNewDocument", script)
                try await ada.browser.open(visit.server.url)
                try await ada.waitForAccount()
            }
            // Each begins with a refresh; eight in all at most, since a ninth in a minute waits.
            for _ in 0..<3 {
                try await ada.dropAccessToken()
                for tab in [first, second] {
                    try await ada.browser.switchTo(tab)
                    try await ada.browser.run("window.isOld = true; setTimeout(() => location.reload(), 50)")
                }
                for tab in [first, second] {
                    try await ada.browser.switchTo(tab)
                    try await ada.browser.waitUntil("the tab has loaded anew", "!window.isOld")
                    try await ada.waitForAccount()
                }
            }
            #expect(try await visit.server.metric(Self.refreshes) >= 3)
            let sessions = try await ada.browser.texts("#devices .session")
            #expect(sessions.count == 1)
            #expect(try await visit.server.events("refresh_token_reused") == 0)
            try await ada.browser.close()
        }

        @Test("a tab whose storage is cleared while it is open is signed out, and signs in again")
        func clearedStorage() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await ada.browser.devTools(
                "Storage.clearDataForOrigin", ["origin": .string(visit.server.url), "storageTypes": "all"])
            try await ada.browser.click("#sign-out-everywhere")
            try await ada.waitForWords("You were signed out. Sign in again.")
            try await ada.signIn()
            #expect(try await ada.browser.text("#account-title") == "Ada")
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }
    }
}
