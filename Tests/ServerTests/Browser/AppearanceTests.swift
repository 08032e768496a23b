internal import Encoding
internal import Foundation
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension BrowserTests {
    @Suite(
        "In Chromium, how the page looks", .serialized,
        .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct Appearance {
        @Test(
            "it can be read and used in light and dark, wide and narrow; every control has a name and an edge that is seen"
        )
        func accessible() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            try await look(at: ada.browser, "welcome")
            try await ada.browser.clickAnything("#to-recovery")
            try await ada.browser.waitUntil("it is shown", "!document.getElementById('recovery').hidden")
            try await look(at: ada.browser, "recovery")
            try await ada.browser.clickAnything("#recovery a")
            try await ada.waitForWelcome()
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#sign-in button")
            try await ada.waitForComplaint()
            try await look(at: ada.browser, "refused")
            try await ada.browser.setUserVerified(true, ada.authenticator)

            try await ada.openCreation()
            try await look(at: ada.browser, "create")
            try await ada.browser.type("Ada’s account at the observatory", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            try await look(at: ada.browser, "codes")
            try await ada.browser.click("#codes-saved")
            try await ada.browser.type("something else", into: "#code-typed")
            try await ada.browser.press("\u{E007}")
            try await ada.waitForComplaint()
            try await look(at: ada.browser, "code-asked")
            try await ada.browser.click("#codes-again")
            try await ada.saveCodes()
            try await ada.waitForAccount()
            try await look(at: ada.browser, "account")
            // Signed-out devices, and events of other days.
            for _ in 0..<2 {
                try await ada.signOut()
                try await ada.signIn()
            }
            try await ada.browser.clickAnything("#idle-devices-title")
            try await ada.browser.click("#more-events")
            try await ada.browser.waitUntil("all are shown", "document.querySelectorAll('#events li').length > 5")
            _ = try await ada.browser.runAsynchronously(
                """
                const done = arguments[arguments.length - 1];
                import("/assets/timeline.js").then(({ addToTimeline }) => {
                    const at = Math.floor(Date.now() / 1000);
                    addToTimeline([
                        { kind: "sign_in_refused", at: at - 86400, address: "2001:db8:1234:5678::/64", device_name: "W".repeat(64) },
                        { kind: "account_locked", at: at - 500000 },
                    ]);
                    done();
                });
                """)
            #expect(try await ada.browser.texts("#events h3").count == 3)
            try await look(at: ada.browser, "timeline")
            try await ada.press("Rename", in: "#devices", agreeingTo: false)
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            try await look(at: ada.browser, "rename")
            try await ada.browser.press("\u{E00C}")
            for name in ["erase", "new-codes"] {
                try await ada.browser.click("#\(name)")
                try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
                try await look(at: ada.browser, name)
                try await ada.browser.press("\u{E00C}")
                try await ada.browser.waitUntil("the dialog is closed", "!document.getElementById('confirm').open")
            }
            // Long messages, in the narrowest window.
            try await ada.browser.run(
                """
                const long = "The server is busy. ".repeat(arguments[0]);
                document.getElementById("status").textContent = document.getElementById("error").textContent = long;
                """, 8)
            try await look(at: ada.browser, "messages")
            #expect(try await ada.browser.run(Self.motion).array?.compactMap(\.string) == [])
            #expect(try await ada.complaints() == [])
            try await ada.browser.close()
        }

        /// Checks each colour scheme and width. With `FUEKI_SCREENSHOTS` set, stores screenshots in that folder.
        private func look(at browser: Browser, _ name: String) async throws {
            for (width, height) in [(1000, 1300), (360, 740), (320, 640)] {
                try await browser.devTools(
                    "Emulation.setDeviceMetricsOverride",
                    [
                        "width": JSON(Int64(width)), "height": JSON(Int64(height)), "deviceScaleFactor": 1,
                        "mobile": false,
                    ])
                for scheme in ["light", "dark"] {
                    try await browser.devTools(
                        "Emulation.setEmulatedMedia",
                        [
                            "features": [
                                ["name": "prefers-color-scheme", "value": .string(scheme)],
                                ["name": "prefers-reduced-motion", "value": "reduce"],
                            ]
                        ])
                    let found = try await AccessibilityRules.findings(in: browser)
                    #expect(found == [], "\(name), \(scheme), \(width)")
                    if let folder = ProcessInfo.processInfo.environment["FUEKI_SCREENSHOTS"] {
                        try await browser.screenshot().write(
                            to: URL(fileURLWithPath: "\(folder)/\(name)-\(scheme)-\(width).png"))
                    }
                }
            }
            try await browser.devTools("Emulation.clearDeviceMetricsOverride")
        }

        @Test("every rule for the page finds a page that breaks it")
        func rules() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            for rule in AccessibilityRules.all {
                try await ada.browser.reload()
                try await ada.waitForWelcome()
                #expect(try await AccessibilityRules.findings(in: ada.browser) == [], "\(rule.name)")
                try await ada.browser.run(AccessibilityRules.breaking + rule.violation)
                let found = try await AccessibilityRules.findings(in: ada.browser)
                #expect(found.contains { $0.hasPrefix("\(rule.name): ") }, "\(rule.name): \(found)")
            }
            try await ada.browser.close()
        }

        @Test("the focus goes to the heading of each view, and the browser's way back leads to the view before")
        func views() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            let focus = "return document.activeElement.id"
            try await ada.openCreation()
            #expect(try await ada.browser.run(focus).string == "create-title")
            #expect(try await ada.browser.run("return document.title").string == "Create an account · Fueki")
            // A message of one view does not stay in another one.
            try await ada.browser.type(" ", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            #expect(try await ada.waitForComplaint() == "Type a name for your account first.")
            try await ada.browser.run("history.back()")
            try await ada.waitForWelcome()
            #expect(try await ada.browser.run(focus).string == "welcome-title")
            #expect(try await ada.browser.text("#error") == "")
            try await ada.browser.clickAnything("#to-recovery")
            try await ada.browser.waitUntil("it is shown", "!document.getElementById('recovery').hidden")
            #expect(try await ada.browser.run(focus).string == "recovery-title")
            // A link leads there as well, and behind a sign-in it leads nowhere.
            try await ada.browser.open("\(visit.server.url)/#create-account")
            try await ada.browser.reload()
            try await ada.browser.waitUntil("the form is shown", "!document.getElementById('create').hidden")
            try await ada.browser.type("Ada", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            try await ada.saveCodes()
            try await ada.waitForAccount()
            #expect(try await ada.browser.run(focus).string == "account-title")
            #expect(try await ada.browser.run("return location.href").string == "\(visit.server.url)/")
            try await ada.browser.run("location.hash = '#create-account'")
            #expect(try await ada.browser.text("#account-title") == "Ada")
            try await ada.browser.close()
        }

        @Test("printed, the recovery codes are there with the operator's name and the date, and nothing else")
        func printedCodes() async throws {
            let visit = try await Visit(["RELYING_PARTY_NAME": "Observatory"])
            let ada = try await visit.person()
            try await ada.openCreation()
            try await ada.browser.type("Ada", into: "#account-name")
            try await ada.browser.click("#sign-up button")
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            let codes = try await ada.browser.texts("#code-list li")
            try await ada.browser.devTools("Emulation.setEmulatedMedia", ["media": "print"])
            let year = try await ada.browser.run("return new Date().getFullYear()").text
            let lines = try await ada.browser.run("return document.body.innerText").string?.split(separator: "\n") ?? []
            #expect(lines.count == 11)
            let heading = lines.first ?? ""
            #expect(heading.hasPrefix("Recovery codes of “Ada” at Observatory, made on ") && heading.hasSuffix(year))
            #expect(lines.dropFirst().map(String.init) == codes)
            // On white paper in black, also of a person with dark pages.
            try await ada.browser.devTools(
                "Emulation.setEmulatedMedia",
                ["media": "print", "features": [["name": "prefers-color-scheme", "value": "dark"]]])
            let color = "return getComputedStyle(document.getElementById('code-list')).color"
            #expect(try await ada.browser.run(color).string == "rgb(26, 30, 28)")
            try await ada.browser.close()
        }

        @Test("with the operator's name, colour and logo it can be read in both schemes, and the logo is seen")
        func operatorsOwn() async throws {
            let folder = try TemporaryFolder()
            let logo = try folder.write(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><style>rect { fill: #fc0 }</style>
                <rect width="80" height="40"/></svg>
                """, to: "logo.svg")
            let visit = try await Visit([
                "RELYING_PARTY_NAME": "The Observatory of the University", "PAGE_ACCENT": "#ffcc00", "PAGE_LOGO": logo,
            ])
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            #expect(try await ada.browser.text(".brand") == "The Observatory of the University")
            let logoSize =
                "const { naturalWidth, naturalHeight } = document.querySelector('header img'); return naturalWidth / naturalHeight"
            #expect(try await ada.browser.run(logoSize).text == "2")
            let button = "return getComputedStyle(document.querySelector('#sign-in button')).backgroundColor"
            let link = "return getComputedStyle(document.getElementById('to-create')).color"
            try await ada.browser.devTools(
                "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
            #expect(try await ada.browser.run(button).string == "rgb(255, 204, 0)")
            #expect(try await ada.browser.run(link).string == "rgb(255, 204, 0)")
            try await ada.browser.devTools(
                "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": "light"]]])
            #expect(try await ada.browser.run(button).string == "rgb(255, 204, 0)")
            #expect(try await ada.browser.run(link).string == "rgb(137, 110, 0)", "the other is unreadable on white")
            try await look(at: ada.browser, "operator")
            try await ada.signUp(as: "Ada")
            try await look(at: ada.browser, "operator-account")
            // Opened by itself the logo is a picture, in which no script runs.
            try await ada.browser.open("\(visit.server.url)/assets/logo")
            #expect(try await ada.browser.run("return document.contentType").string == "image/svg+xml")
            #expect(try await ada.browser.run("return window.origin").string == "null", "it has no origin")
            try await ada.browser.close()
        }

        /// What moves, though the person has asked for less of it.
        private static let motion = """
            return [...document.querySelectorAll("*")].filter((e) => {
                const style = getComputedStyle(e);
                return style.transitionDuration !== "0s" || style.animationName !== "none" || style.scrollBehavior !== "auto";
            }).map((e) => e.outerHTML);
            """

        @Test("everything can be done with the keyboard, and the focus is visible")
        func keyboard() async throws {
            let (tab, enter) = ("\u{E004}", "\u{E007}")
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            let focused = "return document.activeElement.id || document.activeElement.innerText"
            var order: [String] = []
            for _ in 0..<3 {
                try await ada.browser.press(tab)
                order.append(try await ada.browser.run(focused).string ?? "")
                #expect(try await ada.browser.run(Self.focusIsSeen).bool == true, "\(order)")
            }
            // There is no field for passkeys where the browser does not list them.
            #expect(order == ["Sign in with a passkey", "to-create", "to-recovery"])
            // Back from the last one to the one before.
            try await ada.browser.run("document.getElementById('to-create').focus()")
            try await ada.browser.press(enter)
            try await ada.browser.waitUntil("the form is shown", "!document.getElementById('create').hidden")
            try await ada.browser.press(tab)
            #expect(try await ada.browser.run(focused).string == "account-name")
            try await ada.browser.press("A", "d", "a", enter)
            try await ada.browser.waitUntil("the codes are shown", "!document.getElementById('codes').hidden")
            let codes = try await ada.browser.texts("#code-list li")
            try await ada.browser.press(tab, tab, tab, tab, enter)
            // The field that asks has the focus.
            for character in codes[try await ada.askedCode()] { try await ada.browser.press(String(character)) }
            try await ada.browser.press(enter)
            try await ada.waitForAccount()

            order = []
            while order.count < 30, order.last != "erase" {
                try await ada.browser.press(tab)
                order.append(try await ada.browser.run(focused).string ?? "")
                #expect(try await ada.browser.run(Self.focusIsSeen).bool == true, "\(order)")
            }
            #expect(
                order == [
                    "sign-out", "Rename", "Remove", "add-passkey", "Rename", "sign-out-everywhere", "new-codes",
                    "export",
                    "erase",
                ])
            // No part keeps the keyboard: the last control leads on.
            try await ada.browser.press(tab)
            #expect(try await ada.browser.run(focused).string != "erase")
            // A new name, by Enter in its field; what was there is marked, so that typing replaces it.
            try await ada.browser.run("document.querySelector('#passkeys button').focus()")
            try await ada.browser.press(enter)
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            try await ada.browser.press("K", "e", "y", enter)
            try await ada.browser.waitUntil(
                "it has the new name", "document.querySelector('#passkeys strong').textContent === 'Key'")
            // Escape closes a dialog, without any action.
            try await ada.browser.run("document.querySelector('#devices button').focus()")
            try await ada.browser.press(enter)
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            try await ada.browser.press("X", "\u{E00C}")
            try await ada.browser.waitUntil("the dialog is closed", "!document.getElementById('confirm').open")
            #expect(try await ada.browser.texts("#devices strong").first?.hasPrefix("Chromium on") == true)

            try await ada.browser.run("document.getElementById('sign-out').focus()")
            try await ada.browser.press(enter)
            try await ada.waitForWelcome()
            // After signing in again the heading has the focus, and the next step is the button.
            try await ada.browser.press(tab, enter)
            try await ada.waitForAccount()
            #expect(try await ada.browser.text("#account-title") == "Ada")
            try await ada.browser.close()
        }

        private static let focusIsSeen = """
            const style = getComputedStyle(document.activeElement);
            return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
            """
    }
}
