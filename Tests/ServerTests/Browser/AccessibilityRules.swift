internal import Encoding
internal import ServerHTTP

/// Rules of WCAG 2.2 that a script can look at, in the names that axe-core gives them where it has the rule. The list, and what is
/// looked at by hand, is in docs/accessibility.md.
enum AccessibilityRules {
    /// A rule, and what breaks it on a page: a script that a test runs to see that the rule finds it.
    struct Rule: Sendable {
        let name: String
        let violation: String

        init(_ name: String, _ violation: String) {
            self.name = name
            self.violation = violation
        }
    }

    static let all: [Rule] = [
        Rule("html-has-lang", "document.documentElement.removeAttribute('lang')"),
        Rule("html-lang-valid", "document.documentElement.lang = 'english'"),
        Rule("document-title", "document.title = ''"),
        Rule("meta-viewport", "document.querySelector('meta[name=viewport]').content += ', user-scalable=no'"),
        Rule("duplicate-id", "add('p', { id: 'welcome-title' }, 'A text')"),
        Rule("aria-valid-attr-value", "add('p', { 'aria-describedby': 'nowhere' }, 'A text')"),
        Rule("aria-roles", "add('p', { role: 'buton' }, 'A text')"),
        Rule("label", "add('input', { id: 'new' })"),
        Rule("button-name", "add('button', { type: 'button' }, '')"),
        Rule("link-name", "add('a', { href: '#new' }, '')"),
        Rule("link-in-text-block", "add('a', { href: '#new' }, 'A link').style.textDecoration = 'none'"),
        Rule("image-alt", "add('img', { src: '/assets/icon.svg' })"),
        Rule("dialog-name", "add('dialog', { open: '' }, 'A dialog')"),
        Rule("heading-order", "add('h4', {}, 'A heading')"),
        Rule("empty-heading", "add('h2', {}, '')"),
        Rule("page-has-heading-one", "add('h1', {}, 'A second one')"),
        Rule("landmark-one-main", "document.body.append(document.createElement('main'))"),
        Rule("landmark-unique", "add('section', { 'aria-labelledby': 'welcome-title' }, 'A text')"),
        Rule("region", "document.getElementById('page').append('A text outside of all landmarks')"),
        Rule("list", "add('ul', {}, '').append(document.createElement('p'))"),
        Rule("listitem", "add('li', {}, 'A text')"),
        Rule("definition-list", "add('dl', {}, 'A text')"),
        Rule("nested-interactive", "add('button', {}, 'A button').append(document.createElement('input'))"),
        Rule("aria-hidden-focus", "add('div', { 'aria-hidden': 'true' }, '').append(document.createElement('button'))"),
        Rule("tabindex", "add('p', { tabindex: '1' }, 'A text')"),
        Rule("autocomplete-valid", "add('input', { id: 'new', autocomplete: 'nick' })"),
        Rule("color-contrast", "add('p', {}, 'A text').style.color = 'rgb(128, 128, 128)'"),
        Rule("edge-contrast", "document.querySelector('#sign-in button').style.borderColor = 'rgb(200, 200, 200)'"),
        Rule(
            "target-size",
            "document.querySelector('#sign-in button').style.cssText = 'width: 20px; padding: 0; overflow: hidden'"),
        Rule("live-region", "document.getElementById('error').removeAttribute('role')"),
        Rule("reflow", "add('p', {}, 'A text').style.width = '3000px'"),
        Rule("message-position", "document.getElementById('page').style.marginTop = '-10px'"),
        Rule("enough-text", "document.querySelector('main').textContent = ''"),
    ]

    /// What has to run before a rule's `violation`.
    static let breaking = """
        const add = (name, attributes, text) => {
            const made = document.createElement(name);
            for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
            if (text !== undefined) made.textContent = text;
            document.querySelector("main > section:not([hidden])").append(made);
            return made;
        };

        """

    /// Returns what is wrong with the page as it is shown, each with the rule's name before it.
    static func findings(in browser: Browser) async throws -> [String] {
        try await browser.run(script).array?.compactMap(\.string) ?? ["the rules did not run"]
    }

    private static let script = #"""
        const found = [];
        const find = (rule, what) => found.push(`${rule}: ${what}`);
        const all = (selector) => [...document.querySelectorAll(selector)];
        const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
        const visible = (selector) => all(selector).filter(shown);
        const named = (e) => (e.id ? `#${e.id}` : e.outerHTML.slice(0, 80));
        const name = (e) => {
            const labels = (e.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
            if (labels.length) return labels.map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
            return (e.getAttribute("aria-label") ?? e.innerText ?? "").trim();
        };

        // The document.
        const { lang } = document.documentElement;
        if (!lang) find("html-has-lang", "the page has no language");
        else if (!/^[a-z]{2}(-[A-Za-z0-9]+)*$/.test(lang)) find("html-lang-valid", lang);
        if (!document.title.trim()) find("document-title", "the page has no title");
        const viewport = document.querySelector("meta[name=viewport]")?.content ?? "";
        if (!viewport || /user-scalable\s*=\s*(no|0)|maximum-scale/.test(viewport)) find("meta-viewport", viewport);

        // Identifiers and roles.
        const ids = all("[id]").map((e) => e.id);
        for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) find("duplicate-id", `#${id} is there twice`);
        for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
            for (const e of all(`[${attribute}]`)) {
                for (const id of e.getAttribute(attribute).split(" ").filter(Boolean)) {
                    if (!document.getElementById(id)) find("aria-valid-attr-value", `#${id} is referred to and is not there`);
                }
            }
        }
        const roles = ["alert", "status", "region", "dialog", "list", "listitem", "img", "group", "none", "presentation"];
        for (const e of all("[role]")) if (!roles.includes(e.getAttribute("role"))) find("aria-roles", named(e));

        // Names.
        for (const e of all("input")) if (![...e.labels].some((label) => label.textContent.trim()) && shown(e)) find("label", named(e));
        for (const e of visible("button, summary")) if (!name(e)) find("button-name", named(e));
        for (const e of visible("a")) if (!name(e)) find("link-name", named(e));
        for (const e of visible("p a")) {
            if (getComputedStyle(e).textDecorationLine === "none") find("link-in-text-block", named(e));
        }
        for (const e of visible("section a:not(p a)")) {
            if (getComputedStyle(e).textDecorationLine === "none") find("link-in-text-block", named(e));
        }
        for (const e of all("img")) if (!e.hasAttribute("alt")) find("image-alt", named(e));
        for (const e of all("dialog[open]")) {
            if (!e.hasAttribute("aria-labelledby") && !e.hasAttribute("aria-label") || !name(e)) find("dialog-name", named(e));
        }

        // Headings, landmarks, lists.
        let level = 0;
        for (const e of visible("h1, h2, h3, h4, h5, h6")) {
            const next = Number(e.tagName[1]);
            if (next > level + 1) find("heading-order", `${e.innerText} leaves a level out`);
            level = next;
        }
        for (const e of all("h1, h2, h3, h4, h5, h6").filter((e) => e.checkVisibility())) {
            if (!e.textContent.trim()) find("empty-heading", named(e));
        }
        if (visible("h1").length !== 1) find("page-has-heading-one", `there are ${visible("h1").length}`);
        if (all("main").length !== 1) find("landmark-one-main", `there are ${all("main").length}`);
        const regions = visible("section, [role=region]").map(name);
        for (const e of regions) if (!e || regions.indexOf(e) !== regions.lastIndexOf(e)) find("landmark-unique", e || "a region has no name");
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        let count = 0;
        const written = [];
        while (texts.nextNode()) {
            const e = texts.currentNode.parentElement;
            if (!texts.currentNode.data.trim() || !shown(e) || e.closest("script, noscript")) continue;
            count += 1;
            written.push([e, texts.currentNode.data.trim()]);
            if (!e.closest("header, main, [role=region], dialog")) find("region", texts.currentNode.data.trim());
        }
        if (count < 5) find("enough-text", "there is hardly any text");
        for (const e of all("ul, ol")) if ([...e.children].some((child) => child.tagName !== "LI")) find("list", named(e));
        for (const e of all("li")) if (!["UL", "OL"].includes(e.parentElement.tagName)) find("listitem", named(e));
        for (const e of visible("dl")) {
            const groups = [...e.children].map((child) => child.tagName === "DIV" ? [...child.children] : [child]).flat();
            const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (own || groups.some((child) => !["DT", "DD"].includes(child.tagName))) find("definition-list", named(e));
        }

        // Controls.
        const control = "a[href], button, input, select, textarea, summary";
        for (const e of all(control)) {
            if (e.querySelector(control) || e.parentElement.closest("a[href], button, summary")) find("nested-interactive", named(e));
            if (e.closest("[aria-hidden=true]")) find("aria-hidden-focus", named(e));
        }
        for (const e of all("[tabindex]")) if (e.tabIndex > 0) find("tabindex", named(e));
        const complete = ["off", "nickname", "username", "webauthn"];
        for (const e of all("input[autocomplete]")) {
            if (e.autocomplete.split(" ").some((word) => !complete.includes(word)) || !e.autocomplete) find("autocomplete-valid", named(e));
        }
        for (const e of visible("button, a, summary, input")) {
            const box = e.getBoundingClientRect();
            if (box.width < 24 || box.height < 24) find("target-size", `${name(e)}: smaller than 24 pixels`);
        }
        if (document.getElementById("status").role !== "status" || document.getElementById("error").role !== "alert") {
            find("live-region", "messages are not announced");
        }

        // Where things are: at 320 pixels nothing has to be scrolled sideways (1.4.10).
        if (document.documentElement.scrollWidth > innerWidth) find("reflow", "it is wider than the window");
        const page = document.getElementById("page");
        if (page.scrollWidth > page.clientWidth) find("reflow", "it is wider than its place in the window");
        for (const e of visible("section, dialog, .notice, button, input")) {
            const box = e.getBoundingClientRect();
            if (box.left < 0 || box.right > innerWidth + 0.5) find("reflow", `${named(e)} leaves the window`);
        }
        const [messages, place] = [document.getElementById("notices"), page].map((e) => e.getBoundingClientRect());
        if (messages.bottom > place.top + 1) find("message-position", "a message covers the page");
        if (messages.height > innerHeight / 2) find("message-position", "messages leave little of the page");

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
        for (const [e, text] of written) {
            if (e.closest("[disabled]")) continue;
            const style = getComputedStyle(e);
            const size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
            const ratio = contrast(channels(style.color), ground(e));
            if (ratio < (isLarge ? 3 : 4.5)) find("color-contrast", `“${text}”: ${ratio.toFixed(2)}`);
        }
        for (const e of visible("input")) {
            const placeholder = contrast(channels(getComputedStyle(e, "::placeholder").color), ground(e));
            if (e.placeholder && placeholder < 4.5) find("color-contrast", `placeholder of ${named(e)}: ${placeholder.toFixed(2)}`);
        }
        for (const e of visible("input, button")) {
            // What looks like a link or a sign has no edge.
            if (e.disabled || e.matches(".link, .close")) continue;
            const edge = contrast(channels(getComputedStyle(e).borderTopColor), ground(e.parentElement));
            if (edge < 3) find("edge-contrast", `${named(e)}: ${edge.toFixed(2)}`);
        }
        return found;
        """#
}
