// The texts of the page, in the language of the document. Each language has one file.

export const language = document.documentElement.lang;

const { default: texts } = await import(`/assets/texts.${language}.js`);

/** The operator's name for the server. */
export const serviceName = document.querySelector("meta[name=application-name]").content;

const has = (key) => Object.hasOwn(texts, key);

/** Returns a text, with values in place of the names in braces. */
export function text(key, values = {}) {
    if (!has(key)) throw new Error(key);
    const all = { service: serviceName, ...values };
    return texts[key].replace(/\{(\w+)\}/g, (place, name) => all[name] ?? place);
}

const plural = new Intl.PluralRules(language);

/** Returns the text for a number of things, by the plural rules of the language. */
export const counted = (key, count) => text(`${key}.${plural.select(count)}`, { count });

/** An error whose message is shown to the user. */
export class Said extends Error {}

function duration(seconds) {
    return seconds < 100 ? counted("time.seconds", seconds) : counted("time.minutes", Math.ceil(seconds / 60));
}

/** Returns the sentence for an error: by its code for a problem of the server, by its name for an error of the browser. */
export function sentence(error) {
    if (error instanceof Said) return error.message;
    if (error instanceof DOMException) return text(has(`browser.${error.name}`) ? `browser.${error.name}` : "problem.browser");
    if (error.code === "rate_limited" && error.retryAfter) return text("problem.wait", { time: duration(error.retryAfter) });
    return text(has(`problem.${error.code}`) ? `problem.${error.code}` : "problem.unknown");
}

/** Returns the reason for a delay. */
export const reason = (kind, seconds) => text(`wait.${kind}`, { time: duration(seconds ?? 0) });

/** Returns one sentence about an event. */
export function eventSentence(event) {
    if (event.kind === "session_ended" && event.reason === "all others") return text("event.all-others");
    if (event.kind === "device_revoked" && event.reason === "idle") return text("event.idle-device");
    return text(has(`event.${event.kind}`) ? `event.${event.kind}` : "event.unknown");
}
