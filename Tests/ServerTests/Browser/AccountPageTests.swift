internal import Encoding
internal import Foundation
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite(
        "In Chromium, the account", .serialized,
        .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct AccountPage {
        @Test("passkeys can be added, renamed and removed, all but the last")
        func passkeys() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await ada.press("Rename", in: "#passkeys", agreeingTo: false)
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            try await ada.browser.type("<b>Laptop</b> & “co”", into: "#confirm-input")
            try await ada.browser.click("#confirm-yes")
            try await ada.browser.waitUntil(
                "it has the new name, as it was typed",
                "document.querySelector('#passkeys strong').textContent === '<b>Laptop</b> & “co”'")

            try await ada.press("Remove", in: "#passkeys")
            try await ada.browser.waitUntil("the page complains", "!document.getElementById('error').hidden")
            #expect(try await ada.browser.texts("#passkeys li").count == 1)

            // Another authenticator: one makes no second passkey for the same account.
            try await ada.browser.removeAuthenticator(ada.authenticator)
            _ = try await ada.browser.addAuthenticator()
            try await ada.browser.click("#add-passkey")
            try await ada.waitForWords("The passkey was added.")
            #expect(try await ada.browser.texts("#passkeys li").count == 2)

            try await ada.press("Remove", in: "#passkeys li:has(strong:not(:empty)):first-child")
            try await ada.browser.waitUntil(
                "one is left", "document.querySelectorAll('#passkeys li').length === 1")
            #expect(try await visit.server.events("passkey_removed") == 1)
            try await ada.browser.close()
        }

        @Test("some time after the sign-in, what is sensitive takes the passkey once more, with its owner verified")
        func stepUp() async throws {
            // The shortest age that can be set.
            let visit = try await Visit(["SESSION_STEP_UP_SECONDS": "30"])
            let ada = try await visit.person()
            let codes = try await ada.signUp(as: "Ada")
            try await Task.sleep(for: .seconds(31))
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#new-codes")
            try await ada.waitForWords("Cancelled, or no passkey for this.")
            #expect(try await visit.server.events("stepped_up") == 0)
            #expect(try await visit.server.events("recovery_codes_made") == 0)

            try await ada.browser.setUserVerified(true, ada.authenticator)
            try await ada.browser.click("#new-codes")
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            let newCodes = try await ada.browser.texts("#code-list li")
            #expect(newCodes.count == 10)
            #expect(Set(codes).isDisjoint(with: newCodes))
            #expect(try await visit.server.events("stepped_up") == 1)
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        @Test("a recovery code gives a new passkey, once, and ends the sessions that there were")
        func recovery() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            let codes = try await ada.signUp(as: "Ada")
            let code = try #require(codes.first)

            let elsewhere = try await visit.person()
            try await elsewhere.recover(with: code)
            try await elsewhere.browser.waitUntil(
                "codes or the account are shown",
                "!document.getElementById('codes').hidden || document.querySelector('#sessions li')")
            if try await elsewhere.browser.texts("#code-list li").count > 0 {
                try await elsewhere.browser.click("#codes-done")
            }
            try await elsewhere.waitForAccount()
            #expect(try await elsewhere.browser.text("#account-title") == "Ada")
            #expect(try await elsewhere.browser.texts("#sessions li").count == 1)
            #expect(try await visit.server.events("account_recovered") == 1)

            try await ada.browser.reload()
            try await ada.waitForWords("You were signed out")
            try await ada.recover(with: code)
            try await ada.browser.waitUntil("the page complains", "!document.getElementById('error').hidden")
            #expect(try await visit.server.events("account_recovered") == 1)
            try await ada.browser.close()
            try await elsewhere.browser.close()
        }

        @Test("an account that is deleted is gone, and its passkey signs in nowhere")
        func erasure() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await ada.browser.click("#erase")
            try await ada.agree()
            try await ada.waitForWords("The account was deleted.")
            try await ada.waitForWelcome()
            #expect(try await visit.server.events("account_erased") == 1)
            #expect(try await ada.complaints() == [])
            try await ada.browser.click("#sign-in button")
            try await ada.browser.waitUntil("the page complains", "!document.getElementById('error').hidden")
            #expect(try await visit.server.events("signed_in") == 0)
            try await ada.browser.close()
        }

        @Test("a tab that shows one account does nothing to another one that signed in elsewhere in the browser")
        func otherAccount() async throws {
            let visit = try await Visit()
            let person = try await visit.person()
            try await person.signUp(as: "Ada")
            let first = try await person.browser.window
            _ = try await person.browser.openTab()
            try await person.browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": "PublicKeyCredential.isConditionalMediationAvailable = async () => false"])
            try await person.browser.open(visit.server.url)
            _ = try await person.browser.addAuthenticator()
            try await person.waitForAccount()
            try await person.signOut()
            try await person.signUp(as: "Bob")

            try await person.browser.switchTo(first)
            #expect(try await person.browser.text("#account-title") == "Ada")
            try await person.browser.click("#erase")
            try await person.agree()
            try await person.browser.waitUntil(
                "something has come of it",
                """
                document.getElementById('account-title').textContent === 'Bob'
                    || !document.getElementById('welcome').hidden
                """)
            #expect(try await visit.server.events("account_erased") == 0)
            try await person.waitForAccount()
            #expect(try await person.browser.text("#account-title") == "Bob")
            try await person.browser.close()
        }

        @Test("tabs that renew their tokens at the same time stay signed in, even without a lock between them")
        func twoTabs() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            let first = try await ada.browser.window
            let second = try await ada.browser.openTab()
            let unlocked: JSON = ["source": "navigator.locks.request = async (name, action) => action()"]
            for tab in [first, second] {
                try await ada.browser.switchTo(tab)
                try await ada.browser.devTools("Page.addScriptToEvaluateOnNewDocument", unlocked)
                try await ada.browser.open(visit.server.url)
            }
            // Each load of the page begins with a refresh: with the first two six at most, since a ninth in a minute waits.
            for _ in 0..<2 {
                for tab in [first, second] {
                    try await ada.browser.switchTo(tab)
                    try await ada.browser.run("setTimeout(() => location.reload(), 50)")
                }
                for tab in [first, second] {
                    try await ada.browser.switchTo(tab)
                    try await ada.waitForAccount()
                }
            }
            #expect(try await ada.browser.texts("#sessions li").count == 1)
            #expect(try await visit.server.events("refresh_token_reused") == 0)
            try await ada.browser.close()
        }
    }
}

extension Person {
    /// Types a recovery code into the welcome.
    func recover(with code: String) async throws {
        try await waitForWelcome()
        try await browser.clickAnything("summary")
        try await browser.type(code, into: "#recovery-code")
        try await browser.click("#recover button")
    }
}
