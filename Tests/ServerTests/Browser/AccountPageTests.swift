internal import Encoding
internal import Foundation
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension BrowserTests {
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
            #expect(try await ada.waitForComplaint().contains("only passkey"))
            #expect(try await ada.browser.texts("#passkeys li").count == 1)

            // Another authenticator: one cannot make a second passkey for the same account.
            try await ada.browser.removeAuthenticator(ada.authenticator)
            _ = try await ada.browser.addAuthenticator()
            try await ada.browser.click("#add-passkey")
            try await ada.waitForWords("The passkey was added as “Chromium on")
            #expect(try await ada.browser.texts("#passkeys li").count == 2)

            try await ada.press("Remove", in: "#passkeys li:has(strong:not(:empty)):first-child")
            try await ada.browser.waitUntil(
                "one is left", "document.querySelectorAll('#passkeys li').length === 1")
            #expect(try await visit.server.events("passkey_removed") == 1)
            try await ada.browser.close()
        }

        @Test("a recovery code gives a new passkey, once, and ends the existing sessions")
        func recovery() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            let codes = try await ada.signUp(as: "Ada")
            let code = try #require(codes.first)

            let elsewhere = try await visit.person()
            try await elsewhere.recover(with: code)
            try await elsewhere.waitForAccount()
            #expect(try await elsewhere.browser.text("#account-title") == "Ada")
            #expect(try await elsewhere.browser.texts("#devices .session").count == 1)
            #expect(try await visit.server.events("account_recovered") == 1)
            let passkeys = try await elsewhere.browser.texts("#passkeys li")
            #expect(passkeys.map { $0.contains("This browser is signed in with it") } == [false, true])

            try await ada.browser.reload()
            try await ada.waitForWords("You were signed out")
            try await ada.recover(with: code)
            #expect(try await ada.waitForComplaint().contains("recovery code is not right"))
            #expect(try await visit.server.events("account_recovered") == 1)
            try await ada.browser.close()
            try await elsewhere.browser.close()
        }

        @Test("a deleted account is gone, and its passkey signs in nowhere")
        func erasure() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            // The name as an owner types it, with blanks around it.
            try await ada.signUp(as: "Ada’s “account”")
            try await ada.browser.click("#erase")
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            // Cancel has the focus and is the meaning of Enter, also in the field. The red button waits for the name.
            #expect(try await ada.browser.run("return document.activeElement.id").string == "confirm-no")
            let enter = "\u{E007}"
            try await ada.browser.press(enter)
            try await ada.waitForWords("Nothing was deleted.")
            try await ada.browser.click("#erase")
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            let isReady = "return !document.getElementById('confirm-yes').disabled"
            for (text, isName) in [
                ("", false), ("Ada", false), ("ada’s “account”", false), (" Ada’s “account” ", true),
            ] {
                try await ada.browser.type(text, into: "#confirm-input")
                #expect(try await ada.browser.run(isReady).bool == isName, "\(text)")
            }
            let look =
                "const style = getComputedStyle(document.getElementById(arguments[0])); return style.backgroundColor"
            let colour = try await ada.browser.run(look, "confirm-yes").string
            #expect(colour == "rgb(163, 38, 27)", "red")
            try await ada.browser.press(enter)
            try await ada.browser.waitUntil("the dialog is closed", "!document.getElementById('confirm').open")
            #expect(try await visit.server.events("account_erased") == 0)

            // The sign-up was a moment ago: the passkey is requested nevertheless.
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.erase("Ada’s “account”")
            #expect(try await ada.waitForComplaint().contains("No passkey was used"))
            #expect(try await visit.server.events("account_erased") == 0)
            try await ada.browser.setUserVerified(true, ada.authenticator)
            try await ada.erase("Ada’s “account”")
            try await ada.waitForWords("Your account was deleted.")
            try await ada.waitForWelcome()
            #expect(try await ada.kept() == [])
            #expect(try await visit.server.events("account_erased") == 1)
            #expect(try await ada.complaints() == [])
            try await ada.browser.click("#sign-in button")
            try await ada.waitForComplaint()
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
            try await person.erase("Ada")
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
    }
}

extension Person {
    /// Types a recovery code into the first page.
    func recover(with code: String) async throws {
        try await waitForWelcome()
        try await browser.clickAnything("#to-recovery")
        try await browser.waitUntil("the form is shown", "!document.getElementById('recovery').hidden")
        try await browser.type(code, into: "#recovery-code")
        try await browser.click("#recover button")
    }
}
