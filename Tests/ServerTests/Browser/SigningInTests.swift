internal import ServerHTTP
internal import TestSupport
internal import Testing

extension BrowserTests {
    @Suite(
        "In Chromium, signing up and in", .serialized,
        .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct SigningIn {
        @Test("signing up shows ten codes, then the account with its session; reloading keeps it, signing out ends it")
        func wayIn() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            let codes = try await ada.signUp(as: "Ada's account")
            #expect(Set(codes).count == 10)
            #expect(try await ada.browser.text("#account-title") == "Ada's account")
            #expect(try await ada.browser.texts("#passkeys li").count == 1)
            #expect(try await ada.browser.texts("#devices .session").count == 1)
            #expect(try await ada.browser.text("#session-facts").contains("Recovery codes left\n10"))
            // They are shown once.
            #expect(try await ada.browser.texts("#code-list li").isEmpty)

            try await ada.browser.reload()
            try await ada.waitForAccount()
            #expect(try await ada.browser.texts("#devices .session").count == 1)

            #expect(Set(try await ada.kept()) == ["device-key", "session", "fueki-nonce"])
            try await ada.signOut()
            #expect(try await visit.server.events("session_ended") == 1)
            // No data of the account are left, in the page or in the browser.
            #expect(try await ada.kept() == [])
            try await ada.browser.reload()
            try await ada.waitForWelcome()

            try await ada.signIn()
            #expect(try await ada.browser.text("#account-title") == "Ada's account")
            #expect(try await ada.browser.texts("#devices .session").count == 1)
            #expect(try await visit.server.events("signed_in") == 1)
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        @Test("where the browser offers passkeys in the field, a selected one signs in")
        func inTheField() async throws {
            let visit = try await Visit()
            let ada = try await visit.person(offersInField: true)
            try await ada.signUp(as: "Ada")
            // The driver's authenticator answers as soon as it is offered a passkey.
            try await ada.browser.click("#sign-out")
            try await ada.waitForAccount()
            try await Patience.wait(for: "a sign-in") { try await visit.server.events("signed_in") > 0 }
            #expect(try await visit.server.events("signed_in") == 1)
            // The message of signing out does not stay beside the account.
            try await ada.waitForAccount()
            #expect(try await ada.browser.text("#status") == "")
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        @Test(
            "a second device is listed; when the first one revokes it, it is signed out, and can come back with its passkey"
        )
        func secondDevice() async throws {
            let visit = try await Visit()
            let first = try await visit.person()
            try await first.signUp(as: "Ada")
            let second = try await visit.person()
            for credential in try await first.browser.credentials(first.authenticator) {
                try await second.browser.addCredential(credential, second.authenticator)
            }
            try await second.signIn()
            #expect(try await second.browser.texts("#devices li").count == 2)

            try await first.browser.reload()
            try await first.waitForAccount()
            #expect(try await first.browser.texts("#devices li").count == 2)
            #expect(try await first.browser.texts("#devices .session").count == 2)
            try await first.press("Remove", in: "#devices")
            try await first.browser.waitUntil(
                "one device is left", "document.querySelectorAll('#devices li').length === 1")
            #expect(try await first.browser.texts("#devices .session").count == 1)

            // Its access token is valid for minutes still: it is refused nevertheless.
            try await second.browser.click("#sign-out-everywhere")
            try await second.waitForWords("You were signed out")
            try await second.waitForWelcome()
            #expect(try await visit.server.events("device_revoked") == 1)
            #expect(try await first.complaints() == [])
            #expect(try await second.complaints() == [])
            try await first.browser.close()
            try await second.browser.close()
        }

        @Test("without user verification sign-up and sign-in are refused, and the page says so")
        func unverified() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.signUp(as: "Ada")
            try await ada.signOut()
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#sign-in button")
            try await ada.waitForWords("No passkey was used: it was cancelled, took too long")
            #expect(try await ada.browser.text("#account") == "")
            try await ada.browser.reload()
            try await ada.waitForWelcome()
            #expect(try await visit.server.events("signed_in") == 0)

            try await ada.openCreation()
            try await ada.browser.type("Ada again", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            try await ada.waitForWords("No passkey was used: it was cancelled, took too long")
            #expect(try await visit.server.events("account_created") == 1)
            try await ada.browser.close()
        }

        @Test("a copied passkey with an older count is refused, and the event is counted")
        func clonedPasskey() async throws {
            let visit = try await Visit()
            let owner = try await visit.person()
            try await owner.signUp(as: "Ada")
            let copies = try await owner.browser.credentials(owner.authenticator)
            try await owner.signOut()
            try await owner.signIn()
            try await owner.signOut()
            try await owner.signIn()

            let thief = try await visit.person()
            for copy in copies { try await thief.browser.addCredential(copy, thief.authenticator) }
            try await thief.waitForWelcome()
            try await thief.browser.click("#sign-in button")
            #expect(try await thief.waitForComplaint().contains("The passkey was refused:"))
            try await thief.browser.reload()
            try await thief.waitForWelcome()
            #expect(try await visit.server.events("sign_count_fell") == 1)
            #expect(try await visit.server.events("signed_in") == 2)
            try await owner.browser.close()
            try await thief.browser.close()
        }
    }
}
