// Times in words, in the language of the page.

import { language, text } from "/assets/words.js";

// The user's variant of the language, such as British English, if the browser names one.
const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const dayOnly = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const dayName = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const dayOfToday = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "always" });

const date = (seconds) => new Date(seconds * 1000);

export const day = (seconds) => dayOnly.format(date(seconds));
export const today = () => dayOnly.format(new Date());

/** Returns the time since a moment in words; the date, if it is more than a week ago. */
export function ago(seconds) {
    const passed = Math.floor(Date.now() / 1000) - seconds;
    if (passed < 60) return text("time.now");
    if (passed < 3600) return relative.format(-Math.floor(passed / 60), "minute");
    if (passed < 86_400) return relative.format(-Math.floor(passed / 3600), "hour");
    if (passed < 7 * 86_400) return relative.format(-Math.floor(passed / 86_400), "day");
    return moment.format(date(seconds));
}

/** Returns the heading of a day. */
export function dayHeading(seconds) {
    const [then, yesterday] = [date(seconds), new Date()];
    const isSame = (other) => then.toDateString() === other.toDateString();
    if (isSame(new Date())) return text("events.today", { date: dayOfToday.format(then) });
    yesterday.setDate(yesterday.getDate() - 1);
    if (isSame(yesterday)) return text("events.yesterday", { date: dayOfToday.format(then) });
    return dayName.format(then);
}

/** Returns an element for a time. It shows `said`; its attributes have the exact time. */
export function timeElement(seconds, said = ago(seconds)) {
    const time = document.createElement("time");
    time.dateTime = date(seconds).toISOString();
    time.title = moment.format(date(seconds));
    time.textContent = said;
    return time;
}

export const clockTime = (seconds) => timeElement(seconds, clock.format(date(seconds)));
