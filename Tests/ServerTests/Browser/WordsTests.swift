internal import Encoding
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension BrowserTests {
    @Suite(
        "In Chromium, what the page says", .serialized,
        .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct Words {
        @Test("new recovery codes are made after a question and a passkey, and one is typed before they disappear")
        func recoveryCodes() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            let old = try await ada.signUp(as: "Ada")
            try await ada.browser.click("#new-codes")
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            #expect(try await ada.browser.text("#confirm-text").contains("old codes become void at once"))
            #expect(try await ada.browser.run("return document.activeElement.id").string == "confirm-no")
            try await ada.browser.press("\u{E007}")
            try await ada.browser.waitUntil("the dialog is closed", "!document.getElementById('confirm').open")
            // The sign-up was a moment ago: the passkey is requested nevertheless.
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#new-codes")
            try await ada.agree()
            try await ada.waitForComplaint()
            #expect(try await visit.server.events("recovery_codes_made") == 0)

            try await ada.browser.setUserVerified(true, ada.authenticator)
            try await ada.browser.click("#new-codes")
            try await ada.agree()
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            let codes = try await ada.browser.texts("#code-list li")
            #expect(codes.count == 10)
            #expect(Set(old).isDisjoint(with: codes))
            #expect(try await visit.server.events("recovery_codes_made") == 1)
            #expect(try await visit.server.events("stepped_up") == 1)
            #expect(try await ada.browser.text("#codes-replaced") == "Your old codes no longer work.")

            // Copied, saved as a file and printed: all codes are there, with the account's name.
            try await ada.browser.run(
                """
                window.saved = {};
                navigator.clipboard.writeText = async (text) => { window.saved.copy = text; };
                URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved.file = text; }); return "#"; };
                window.print = () => { window.saved.print = document.getElementById("codes").innerText; };
                const send = window.fetch;
                window.requests = 0;
                window.fetch = (...all) => { window.requests += 1; return send(...all); };
                """)
            for (button, name) in [("copy", "copy"), ("download", "file"), ("print", "print")] {
                try await ada.browser.click("#codes-\(button)")
                try await ada.browser.waitUntil("it is saved", "window.saved[arguments[0]]", name)
                let text = try await ada.browser.run("return window.saved[arguments[0]]", .string(name)).string ?? ""
                for code in codes { #expect(text.contains(code), "\(name)") }
                #expect(text.contains("Recovery codes of “Ada” at Fueki"), "\(name)")
            }
            // None of it went over the network, nor into the browser's log.
            #expect(try await ada.browser.run("return window.requests").number?.integer() == 0)
            #expect(try await !ada.browser.complaints().contains { log in codes.contains { log.contains($0) } })
            // A browser that does not let the page copy.
            try await ada.browser.run(
                "navigator.clipboard.writeText = async () => { throw new DOMException('x', 'NotAllowedError') }")
            try await ada.browser.click("#codes-copy")
            #expect(try await ada.waitForComplaint().contains("Download or print"))

            // While the page asks for a code, none is shown; a wrong code, or another one of the list, is refused.
            try await ada.browser.click("#codes-saved")
            let asked = try await ada.askedCode()
            #expect(try await ada.browser.run("return document.body.innerText").string?.contains(codes[asked]) == false)
            for wrong in [codes[(asked + 1) % 10], "nothing", old[asked]] {
                try await ada.browser.type(wrong, into: "#code-typed")
                try await ada.browser.press("\u{E007}")
                #expect(try await ada.waitForComplaint().contains("That is not code \(asked + 1)."))
            }
            try await ada.browser.click("#codes-again")
            #expect(try await ada.browser.texts("#code-list li") == codes)
            try await ada.saveCodes()
            try await ada.waitForAccount()
            #expect(try await ada.browser.run("return document.body.textContent").string?.contains(codes[0]) == false)

            // A device that has a passkey of the account makes no second one; the page says so, and another device
            // does.
            try await ada.signOut()
            try await ada.recover(with: codes[0])
            #expect(try await ada.waitForComplaint().contains("already has a passkey for the account"))
            try await ada.browser.removeAuthenticator(ada.authenticator)
            _ = try await ada.browser.addAuthenticator()
            try await ada.browser.type(codes[0], into: "#recovery-code")
            try await ada.browser.click("#recover button")
            try await ada.waitForAccount()
            #expect(try await visit.server.events("account_recovered") == 1)
            try await ada.browser.close()
        }

        @Test("recent activity is shown in sentences, with address and device, and a button shows more")
        func activity() async throws {
            let visit = try await Visit(["RELYING_PARTY_NAME": "Ada & Co. <Observatory>"])
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            #expect(try await ada.browser.run("return document.title").string == "Sign in to Ada & Co. <Observatory>")
            #expect(try await ada.browser.text(".brand") == "Ada & Co. <Observatory>")
            try await ada.signUp(as: "Ada")
            #expect(try await ada.browser.run("return document.title").string == "Ada · Ada & Co. <Observatory>")
            let list = "#events li"
            #expect(try await ada.browser.texts("\(list) strong").contains("The account was made."))
            for _ in 0..<2 {
                try await ada.signOut()
                try await ada.signIn()
            }
            // Each sign-out leaves a device without a key: it is not among the devices in use.
            #expect(try await ada.browser.texts("#devices li").count == 1)
            #expect(try await ada.browser.text("#idle-devices-title") == "Signed-out devices: 2")
            // 3 of the sign-up, 3 of each sign-out and sign-in with a new key.
            #expect(try await ada.browser.texts(list).count == 5)
            let first = try await ada.browser.texts(list).joined(separator: "\n")
            // The day is said once, over what happened on it.
            let days = try await ada.browser.texts("#events h3")
            #expect(days.count == 1)
            #expect(days.first?.hasPrefix("Today, ") == true)
            #expect(first.contains("Signed in with a passkey."))
            #expect(first.contains("from 127.0.0.1, on “Chromium on Linux”"))
            #expect(days.first?.contains(try await ada.browser.run("return new Date().getFullYear()").text) == true)
            try await ada.browser.click("#more-events")
            try await ada.browser.waitUntil("all are shown", "document.querySelectorAll('#events li').length === 9")
            #expect(try await ada.browser.text("#more-events") == "")
            // The keyboard focus continues where the list continues.
            #expect(
                try await ada.browser.run(
                    "return document.activeElement === document.querySelectorAll('#events li')[5]"
                ).bool == true)
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        /// Which texts of English there are on the page where it should be in German: what is seen, and what is read out.
        private static let englishTexts = """
            const done = arguments[arguments.length - 1];
            Promise.all(["en", "de"].map((language) => import(`/assets/texts.${language}.js`))).then(([english, german]) => {
                const others = Object.keys(english.default).filter((key) => english.default[key] !== german.default[key])
                    .map((key) => english.default[key].replaceAll("{service}", "Fueki")).filter((text) => !text.includes("{"));
                const labels = [...document.querySelectorAll("[aria-label]")].map((e) => e.getAttribute("aria-label"));
                const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) labels.push(texts.currentNode.data.trim());
                done([...new Set(labels)].filter((text) => others.includes(text)));
            });
            """

        @Test("the language that a person chooses with the keyboard is kept; while codes are shown there is no choice")
        func chosenLanguage() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            func language() async throws -> String? {
                try await ada.browser.run("return document.documentElement.lang").string
            }
            try await ada.openCreation()
            #expect(try await language() == "en")
            #expect(try await ada.browser.text("#languages") == "Deutsch")
            let button = "return document.querySelector('#languages button').lang"
            #expect(try await ada.browser.run(button).string == "de")
            try await ada.browser.run("document.querySelector('#languages button').focus()")
            try await ada.browser.press("\u{E007}")
            try await ada.browser.waitUntil("the page is German", "document.documentElement.lang === 'de'")
            // The view stays, and a screen reader hears the new language: the heading has the focus.
            try await ada.browser.waitUntil("the form is shown", "!document.getElementById('create').hidden")
            #expect(try await ada.browser.run("return document.activeElement.id").string == "create-title")
            #expect(try await ada.browser.text("#languages") == "English")
            #expect(try await ada.browser.run("return document.cookie").string == "language=de")

            try await ada.browser.type("Ada", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            #expect(try await ada.browser.text("#languages") == "")
            try await ada.saveCodes()
            try await ada.waitForAccount()
            #expect(try await ada.browser.text("#languages") == "English")
            try await ada.signOut()
            try await ada.browser.reload()
            try await ada.waitForWelcome()
            #expect(try await language() == "de")

            try await ada.signIn()
            try await ada.browser.click("#languages button")
            try await ada.browser.waitUntil("the page is English", "document.documentElement.lang === 'en'")
            try await ada.waitForAccount()
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        @Test("a browser that asks for German gets the pages, their messages, times and names in German")
        func german() async throws {
            let visit = try await Visit()
            let ada = try await visit.person(language: "de-DE")
            try await ada.waitForWelcome()
            #expect(try await ada.browser.run("return document.documentElement.lang").string == "de")
            #expect(try await ada.browser.run("return document.title").string == "Bei Fueki anmelden")
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#sign-in button")
            #expect(try await ada.waitForComplaint().hasPrefix("Es wurde kein Passkey verwendet"))
            try await ada.browser.setUserVerified(true, ada.authenticator)
            let english = { try await ada.browser.runAsynchronously(Self.englishTexts).array?.compactMap(\.string) }
            #expect(try await english() == [])
            try await ada.openCreation()
            try await ada.browser.type("Ada", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            #expect(
                try await ada.browser.text("#codes-for").hasPrefix(
                    "Wiederherstellungscodes von „Ada“ bei Fueki, erstellt am "))
            try await ada.browser.click("#codes-saved")
            #expect(try await ada.browser.text("#code-question").hasPrefix("Geben Sie Code "))
            try await ada.browser.click("#codes-again")
            try await ada.saveCodes()
            try await ada.waitForAccount()
            #expect(try await ada.browser.texts("#devices strong") == ["Chromium auf Linux"])
            #expect(try await ada.browser.texts("#devices .tag") == ["Dieser Browser"])
            #expect(
                try await ada.browser.texts("#devices .session") == [
                    "Angemeldet gerade eben, zuletzt verwendet gerade eben"
                ])
            #expect(try await ada.browser.texts("#events h3").first?.hasPrefix("Heute, ") == true)
            #expect(try await ada.browser.texts("#events li").joined().contains("auf „Chromium auf Linux“"))
            let ago = try await ada.browser.runAsynchronously(
                """
                import("/assets/times.js").then(({ ago }) => arguments[0](ago(Math.floor(Date.now() / 1000) - 180)));
                """)
            #expect(ago.string == "vor 3 Minuten")
            try await ada.browser.click("#erase")
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            #expect(try await english() == [])
            #expect(try await AccessibilityRules.findings(in: ada.browser) == [])
            try await ada.browser.click("#confirm-no")
            try await ada.waitForWords("Es wurde nichts gelöscht.")
            #expect(try await english() == [])
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        @Test("times of a week are told by how long ago they were, and older ones by their date")
        func times() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            let said =
                try await ada.browser.runAsynchronously(
                    """
                    const done = arguments[arguments.length - 1];
                    import("/assets/times.js").then(({ ago }) => {
                        const now = Math.floor(Date.now() / 1000);
                        done([5, 61, 185, 3600, 86_399, 86_400, 6.9 * 86_400, 400 * 86_400].map((past) => ago(now - Math.round(past))));
                    });
                    """
                ).array?.compactMap(\.string) ?? []
            #expect(
                said.dropLast() == [
                    "just now", "1 minute ago", "3 minutes ago", "1 hour ago", "23 hours ago", "1 day ago",
                    "6 days ago",
                ])
            #expect(said.last?.contains("20") == true)
            try await ada.browser.close()
        }

        @Test("errors of the browser and of the server are told in plain words, by their names and codes")
        func errors() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            let said =
                try await ada.browser.runAsynchronously(
                    """
                    const done = arguments[arguments.length - 1];
                    Promise.all([import("/assets/words.js"), import("/assets/session.js")]).then(([words, session]) => {
                        const text = "The operation either timed out or was not allowed. See: https://www.w3.org/TR/webauthn-2/";
                        const names = ["NotAllowedError", "InvalidStateError", "SecurityError", "AbortError", "NetworkError"];
                        const errors = [
                            ...names.map((name) => new DOMException(text, name)), new TypeError(text),
                            new session.Problem(429, { code: "rate_limited", title: text, retry_after: 40 }),
                            new session.Problem(429, { code: "rate_limited", title: text, retry_after: 300 }),
                            new session.Problem(418, { code: "new", title: text }), new session.Problem(502),
                        ];
                        done(errors.map(words.sentence));
                    });
                    """
                ).array?.compactMap(\.string) ?? []
            #expect(said.count == 10)
            for text in said {
                #expect(!text.contains("w3.org") && !text.contains("operation") && !text.contains("Error"), "\(text)")
                #expect(text.hasSuffix("."))
            }
            try #require(said.count == 10)
            #expect(said[1].contains("already has a passkey"))
            #expect(said[6].contains("Wait 40 seconds"))
            #expect(said[7].contains("Wait 5 minutes"))
            #expect(said[9].contains("The server is busy."))

            // Shown at the top, closed by a button, and the focus is kept; an error stays, a message disappears.
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#sign-in button")
            try await ada.waitForComplaint()
            #expect(try await ada.browser.run("return document.getElementById('error').role").string == "alert")
            try await ada.browser.click(".problem button")
            #expect(try await ada.browser.text("#error") == "")
            #expect(try await ada.browser.run("return document.activeElement.id").string == "welcome-title")
            try await ada.browser.setUserVerified(true, ada.authenticator)
            try await ada.signUp(as: "Ada")
            try await ada.holdTimers()
            try await ada.browser.click("#sign-out-everywhere")
            try await ada.waitForWords("All other sessions were signed out.")
            try await ada.passTime()
            try await ada.browser.waitUntil("it goes", "!document.getElementById('status').textContent")

            // A server that is unreachable, when the page is loaded and later.
            let gone = "window.fetch = async () => { throw new TypeError('Failed to fetch') }"
            try await ada.browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument", ["source": .string("window.send = window.fetch; \(gone)")])
            try await ada.browser.reload()
            #expect(try await ada.waitForComplaint().contains("The server could not be reached."))
            #expect(try await ada.browser.text("#failed-title") == "Your account cannot be shown now")
            try await ada.browser.run("window.fetch = window.send")
            try await ada.browser.click("#try-again")
            try await ada.waitForAccount()
            try await ada.browser.run(gone)
            try await ada.browser.click("#sign-out-everywhere")
            #expect(try await ada.waitForComplaint().contains("The server could not be reached."))
            try await ada.browser.click("#sign-out")
            try await ada.waitForWords("You are signed out here. The server could not be told")
            try await ada.browser.close()
        }

        @Test(
            "a passkey is named by who keeps it, and Enter in the field for passkeys signs in, whatever is typed there")
        func names() async throws {
            let visit = try await Visit()
            let ada = try await visit.person(offersInField: true)
            try await ada.browser.devTools(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    // Lists passkeys in the field, and nobody picks one; the request takes a moment to end.
                    const get = navigator.credentials.get.bind(navigator.credentials);
                    window.waiting = 0;
                    navigator.credentials.get = (options) => {
                        if (window.waiting > 0) throw new DOMException("A request is already pending.", "OperationError");
                        if (options.mediation !== "conditional") return get(options);
                        window.waiting += 1;
                        return new Promise((_, reject) => options.signal.addEventListener("abort", () => setTimeout(() => {
                            window.waiting -= 1;
                            reject(options.signal.reason);
                        }, 300)));
                    };
                    // As 1Password says who it is.
                    const data = AuthenticatorAttestationResponse.prototype.getAuthenticatorData;
                    AuthenticatorAttestationResponse.prototype.getAuthenticatorData = function () {
                        const bytes = new Uint8Array(data.call(this));
                        const id = "bada5566a7aa401fbd9645619a55120d".match(/../g).map((digits) => parseInt(digits, 16));
                        if (window.asProvider) bytes.set(id, 37);
                        return bytes.buffer;
                    };
                    """
                ])
            try await ada.browser.open(visit.server.url)
            try await ada.signUp(as: "Ada")
            #expect(try await ada.browser.texts("#passkeys strong").first?.hasPrefix("Chromium on") == true)
            try await ada.browser.removeAuthenticator(ada.authenticator)
            _ = try await ada.browser.addAuthenticator()
            try await ada.browser.run("window.asProvider = true")
            try await ada.browser.click("#add-passkey")
            try await ada.waitForWords("The passkey was added as “1Password”. You can rename it.")

            try await ada.browser.click("#sign-out")
            try await ada.waitForWelcome()
            try await ada.browser.waitUntil("passkeys are offered", "window.waiting === 1")
            try await ada.browser.type("Ada", into: "#passkey-field")
            try await ada.browser.press("\u{E007}")
            try await ada.waitForAccount()
            #expect(try await visit.server.events("signed_in") == 1)
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }
    }
}
