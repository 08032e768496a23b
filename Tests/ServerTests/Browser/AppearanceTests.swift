internal import Encoding
internal import Foundation
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite(
        "In Chromium, how the page looks", .serialized,
        .enabled(if: Peer.browser.isExpected, Comment(rawValue: Peer.browser.absence)))
    struct Appearance {
        /// What is wrong with the page as it is shown, by the rules of WCAG 2.2 that a script can look at.
        private static let findings = #"""
            const found = [];
            const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
            if (!document.documentElement.lang) found.push("the page has no language");
            if (!document.title) found.push("the page has no title");
            const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
            for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`#${id} is there twice`);
            for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
                for (const name of ["aria-labelledby", "aria-describedby"]) {
                    for (const id of (e.getAttribute(name) ?? "").split(" ").filter(Boolean)) {
                        if (!document.getElementById(id)) found.push(`#${id} is referred to and is not there`);
                    }
                }
            }
            for (const e of document.querySelectorAll("input")) {
                if (![...e.labels].some((label) => label.innerText.trim())) found.push(`input #${e.id} has no label`);
            }
            for (const e of [...document.querySelectorAll("button, a, summary")].filter(shown)) {
                if (!(e.getAttribute("aria-label") ?? e.innerText).trim()) found.push(`a button has no name: ${e.outerHTML}`);
                const box = e.getBoundingClientRect();
                if (box.width < 24 || box.height < 24) found.push(`${e.innerText}: smaller than 24 pixels`);
            }
            let level = 0;
            for (const e of [...document.querySelectorAll("h1, h2, h3, h4")].filter(shown)) {
                const next = Number(e.tagName[1]);
                if (next > level + 1) found.push(`heading ${e.innerText} leaves a level out`);
                level = next;
            }
            if ([...document.querySelectorAll("h1")].filter(shown).length !== 1) found.push("there is not one h1");
            if (document.documentElement.scrollWidth > innerWidth) found.push("it is wider than the window");
            const page = document.getElementById("page");
            if (page.scrollWidth > page.clientWidth) found.push("it is wider than its place in the window");
            const [messages, place] = [document.getElementById("notices"), page].map((e) => e.getBoundingClientRect());
            if (messages.bottom > place.top + 1) found.push("a message covers the page");
            if (messages.height > innerHeight / 2) found.push("messages leave little of the page");
            for (const e of [...document.querySelectorAll("section, dialog, .notice, button, input")].filter(shown)) {
                const box = e.getBoundingClientRect();
                if (box.left < 0 || box.right > innerWidth + 0.5) found.push(`${e.id || e.innerText} leaves the window`);
            }

            // Contrast: 4.5 for text, 3 for large text and for the edges of controls (1.4.3, 1.4.11).
            const channels = (color) => color.match(/[\d.]+/g).map(Number);
            const luminance = ([r, g, b]) => {
                const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                return 0.2126 * x + 0.7152 * y + 0.0722 * z;
            };
            const contrast = (a, b) => {
                const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
                return (light + 0.05) / (dark + 0.05);
            };
            const ground = (e) => {
                for (; e; e = e.parentElement) {
                    const c = channels(getComputedStyle(e).backgroundColor);
                    if (c.length < 4 || c[3] > 0) return c;
                }
                return [255, 255, 255];
            };
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            let texts = 0;
            while (walker.nextNode()) {
                const e = walker.currentNode.parentElement;
                if (!walker.currentNode.data.trim() || !shown(e) || e.closest("[disabled], script, noscript")) continue;
                texts += 1;
                const style = getComputedStyle(e);
                const size = parseFloat(style.fontSize);
                const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
                const ratio = contrast(channels(style.color), ground(e));
                if (ratio < (isLarge ? 3 : 4.5)) found.push(`“${walker.currentNode.data.trim()}”: contrast ${ratio.toFixed(2)}`);
            }
            for (const e of [...document.querySelectorAll("input")].filter(shown)) {
                const placeholder = contrast(channels(getComputedStyle(e, "::placeholder").color), ground(e));
                if (e.placeholder && placeholder < 4.5) found.push(`placeholder of #${e.id}: ${placeholder.toFixed(2)}`);
            }
            for (const e of [...document.querySelectorAll("input, button")].filter(shown)) {
                const edge = contrast(channels(getComputedStyle(e).borderTopColor), ground(e.parentElement));
                if (!e.disabled && edge < 3) found.push(`edge of ${e.id || e.innerText}: contrast ${edge.toFixed(2)}`);
            }
            if (texts < 5) found.push("there is hardly any text");
            return found;
            """#

        @Test(
            "it can be read and used in light and dark, wide and narrow; every control has a name and an edge that is seen"
        )
        func accessible() async throws {
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            try await ada.browser.clickAnything("summary")
            try await look(at: ada.browser, "welcome")
            try await ada.browser.setUserVerified(false, ada.authenticator)
            try await ada.browser.click("#sign-in button")
            try await ada.waitForComplaint()
            try await look(at: ada.browser, "refused")
            try await ada.browser.setUserVerified(true, ada.authenticator)

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
            // Long messages, where there is least room.
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

        /// Looks for findings in each colour and width. With `FUEKI_SCREENSHOTS` set, keeps what is seen in that folder.
        private func look(at browser: Browser, _ name: String) async throws {
            for (width, height) in [(1000, 1300), (360, 1500), (320, 640)] {
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
                    let found = try await browser.run(Self.findings).array?.compactMap(\.string)
                    #expect(found == [], "\(name), \(scheme), \(width)")
                    if let folder = ProcessInfo.processInfo.environment["FUEKI_SCREENSHOTS"] {
                        try await browser.screenshot().write(
                            to: URL(fileURLWithPath: "\(folder)/\(name)-\(scheme)-\(width).png"))
                    }
                }
            }
            try await browser.devTools("Emulation.clearDeviceMetricsOverride")
        }

        /// What moves, though the person has asked for less of it.
        private static let motion = """
            return [...document.querySelectorAll("*")].filter((e) => {
                const style = getComputedStyle(e);
                return style.transitionDuration !== "0s" || style.animationName !== "none" || style.scrollBehavior !== "auto";
            }).map((e) => e.outerHTML);
            """

        @Test("everything can be done with the keyboard, and what has the focus is seen")
        func keyboard() async throws {
            let (tab, enter) = ("\u{E004}", "\u{E007}")
            let visit = try await Visit()
            let ada = try await visit.person()
            try await ada.waitForWelcome()
            let focused = "return document.activeElement.id || document.activeElement.innerText"
            var order: [String] = []
            for _ in 0..<2 {
                try await ada.browser.press(tab)
                order.append(try await ada.browser.run(focused).string ?? "")
                #expect(try await ada.browser.run(Self.focusIsSeen).bool == true, "\(order)")
            }
            // There is no field for passkeys where the browser does not list them.
            #expect(order == ["Sign in with a passkey", "account-name"])
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
            // A new name, by Enter in its field; what was there is marked, so that typing replaces it.
            try await ada.browser.run("document.querySelector('#passkeys button').focus()")
            try await ada.browser.press(enter)
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            try await ada.browser.press("K", "e", "y", enter)
            try await ada.browser.waitUntil(
                "it has the new name", "document.querySelector('#passkeys strong').textContent === 'Key'")
            // Escape leaves a dialog, and nothing is done.
            try await ada.browser.run("document.querySelector('#devices button').focus()")
            try await ada.browser.press(enter)
            try await ada.browser.waitUntil("the page asks", "document.getElementById('confirm').open")
            try await ada.browser.press("X", "\u{E00C}")
            try await ada.browser.waitUntil("the dialog is closed", "!document.getElementById('confirm').open")
            #expect(try await ada.browser.texts("#devices strong").first?.hasPrefix("Chromium on") == true)

            try await ada.browser.run("document.getElementById('sign-out').focus()")
            try await ada.browser.press(enter)
            try await ada.waitForWelcome()
            // And back in: the heading has the focus, the button is the next step.
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
