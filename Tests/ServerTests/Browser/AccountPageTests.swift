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
            #expect(try await ada.waitForComplaint().contains("only passkey"))
            #expect(try await ada.browser.texts("#passkeys li").count == 1)

            // Another authenticator: one makes no second passkey for the same account.
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

        @Test("some time after the sign-in, what is sensitive takes the passkey once more, with its owner verified")
        func stepUp() async throws {
            // The shortest age that can be set.
            let visit = try await Visit(["SESSION_STEP_UP_SECONDS": "30"])
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await Task.sleep(for: .seconds(31))
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#export")
            #expect(try await ada.waitForComplaint().contains("No passkey was used"))
            #expect(try await visit.server.events("stepped_up") == 0)
            #expect(try await visit.server.events("account_exported") == 0)

            try await ada.browser.setUserVerified(true, ada.authenticator)
            try await ada.browser.click("#export")
            try await ada.waitForWords("Your data were downloaded")
            #expect(try await visit.server.events("stepped_up") == 1)
            #expect(try await visit.server.events("account_exported") == 1)

            // Whatever the server wants a fresh sign-in for: the request is repeated once, and not again and again.
            try await ada.browser.run(
                """
                const send = window.fetch;
                window.asked = 0;
                window.refusals = arguments[0];
                window.fetch = async (path, options) => {
                    if (!path.endsWith("revoke-others")) return send(path, options);
                    window.asked += 1;
                    if (window.asked > window.refusals) return send(path, options);
                    return Response.json({ code: "insufficient_user_authentication" }, { status: 401 });
                };
                """, 1)
            try await ada.browser.click("#sign-out-everywhere")
            try await ada.waitForWords("All other sessions were signed out.")
            #expect(try await visit.server.events("stepped_up") == 2)
            try await ada.browser.run("window.asked = 0; window.refusals = 9")
            try await ada.browser.click("#sign-out-everywhere")
            #expect(try await ada.waitForComplaint().contains("Your passkey has to be used again"))
            #expect(try await ada.browser.run("return window.asked").number?.integer() == 2)
            #expect(try await visit.server.events("stepped_up") == 3)
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
            try await elsewhere.waitForAccount()
            #expect(try await elsewhere.browser.text("#account-title") == "Ada")
            #expect(try await elsewhere.browser.texts("#sessions li").count == 1)
            #expect(try await visit.server.events("account_recovered") == 1)

            try await ada.browser.reload()
            try await ada.waitForWords("You were signed out")
            try await ada.recover(with: code)
            #expect(try await ada.waitForComplaint().contains("recovery code is not right"))
            #expect(try await visit.server.events("account_recovered") == 1)
            try await ada.browser.close()
            try await elsewhere.browser.close()
        }

        @Test("an account that is deleted is gone, and its passkey signs in nowhere")
        func erasure() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            // As an owner types it who does not mind blanks around it.
            try await ada.signUp(as: "Ada’s “account”")
            try await ada.browser.click("#erase")
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            // Cancel has the focus and is what Enter means, also in the field. The red button waits for the name.
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

            // The sign-up was a moment ago: the passkey is wanted all the same.
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
    /// Types a recovery code into the welcome.
    func recover(with code: String) async throws {
        try await waitForWelcome()
        try await browser.clickAnything("summary")
        try await browser.type(code, into: "#recovery-code")
        try await browser.click("#recover button")
    }
}
