internal import AuthAPI
internal import Encoding
internal import ServerHTTP
internal import TestSupport
internal import Testing
internal import Time

extension BrowserTests {
    @Suite(
        "A step-up", .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct StepUpTests {
        /// The server is in this process: the access token on the page has the time of the sign-in, which only the
        /// server's clock makes older.
        @Test("some time after the sign-in, a sensitive change asks for the passkey again, with user verification")
        func stepUp() async throws {
            try await ClockedServer.with(["SESSION_STEP_UP_SECONDS": "30"]) { server in
                let ada = try await Person(WebDriver(), at: server.url)
                try await ada.signUp(as: "Ada")
                server.advance(.seconds(31))
                try await ada.browser.setUserVerified(false, ada.authenticator)
                try await ada.browser.click("#export")
                #expect(try await ada.waitForComplaint().contains("No passkey was used"))
                #expect(try await server.events("stepped_up") == 0)
                #expect(try await server.events("account_exported") == 0)

                try await ada.browser.setUserVerified(true, ada.authenticator)
                try await ada.browser.click("#export")
                try await ada.waitForWords("Your data were downloaded")
                #expect(try await server.events("stepped_up") == 1)
                #expect(try await server.events("account_exported") == 1)

                // For every request that needs a step-up: it is repeated once, and not endlessly.
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
                #expect(try await server.events("stepped_up") == 2)
                try await ada.browser.run("window.asked = 0; window.refusals = 9")
                try await ada.browser.click("#sign-out-everywhere")
                #expect(try await ada.waitForComplaint().contains("Your passkey has to be used again"))
                #expect(try await ada.browser.run("return window.asked").number?.integer() == 2)
                #expect(try await server.events("stepped_up") == 3)
                #expect(try await ada.complaints() == [])
                try await ada.browser.close()
            }
        }
    }
}
