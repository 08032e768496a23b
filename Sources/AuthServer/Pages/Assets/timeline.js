// Security events as a timeline: one list for each day, the newest first.

import { clockTime, dayHeading } from "/assets/times.js";
import { element } from "/assets/view.js";
import { eventSentence, text } from "/assets/words.js";

// The kinds of events that the owner should look at: a refusal, or a loss of security.
const warnings = new Set([
    "account_locked", "passkey_trust_lost", "sign_in_refused", "sign_count_fell", "refresh_token_reused", "device_trust_lost",
    "recovery_refused", "account_recovered",
]);

function eventItem(event) {
    const item = document.createElement("li");
    if (warnings.has(event.kind)) item.className = "warning";
    const sentence = document.createElement("strong");
    sentence.textContent = eventSentence(event);
    const place = event.address ? text("events.from", { address: event.address }) : text("events.operator");
    const parts = [place, event.device_name && text("events.on", { device: event.device_name })].filter(Boolean);
    const line = document.createElement("p");
    line.className = "meta";
    line.append(clockTime(event.at), ` ${parts.join(", ")}`);
    item.append(sentence, line);
    return item;
}

/** Returns the list of a day: the last list if it is of that day, or else a new list after it. */
function listOf(heading) {
    const last = element("events").lastElementChild;
    if (last?.dataset.day === heading) return last.querySelector("ol");
    const [group, title, list] = ["div", "h3", "ol"].map((name) => document.createElement(name));
    group.dataset.day = heading;
    title.textContent = heading;
    list.className = "timeline";
    group.append(title, list);
    element("events").append(group);
    return list;
}

export const clearTimeline = () => element("events").replaceChildren();

/** Appends events to the timeline. Returns the item of the first one. */
export function addToTimeline(events) {
    const items = events.map((event) => {
        const item = eventItem(event);
        listOf(dayHeading(event.at)).append(item);
        return item;
    });
    return items[0];
}
