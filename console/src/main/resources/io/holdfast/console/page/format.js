// @ts-check
/** Times, durations and foreign text, as people read them. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Two units at most: `28 s`, `4 min 10 s`, `3 h`, `5 d 4 h`. @param {number} millis */
export function duration(millis) {
  const time = Math.max(0, millis);
  if (time < SECOND) return time < 1 ? '0 s' : `${Math.round(time)} ms`;
  if (time < MINUTE) return `${Math.floor(time / SECOND)} s`;
  if (time < HOUR) return pair(time, MINUTE, 'min', SECOND, 's');
  if (time < DAY) return pair(time, HOUR, 'h', MINUTE, 'min');
  return pair(time, DAY, 'd', HOUR, 'h');
}

/** @param {number} time  @param {number} large  @param {string} name  @param {number} small  @param {string} part */
function pair(time, large, name, small, part) {
  const rest = Math.floor((time % large) / small);
  return `${Math.floor(time / large)} ${name}${rest ? ` ${rest} ${part}` : ''}`;
}

/** Whole seconds, for what is seen to change. @param {number} millis */
export const seconds = millis => duration(Math.max(0, Math.ceil(millis / SECOND) * SECOND));

/** One unit where a second one says little: `4 min 10 s`, but `22 h`. @param {number} millis */
export function about(millis) {
  const unit = [DAY, HOUR, MINUTE].find(size => millis >= 10 * size) ?? SECOND;
  return duration(Math.floor(millis / unit) * unit);
}

/** `12 s ago` or `in 3 h`. @param {number} time  @param {number} now */
export const relative = (time, now) =>
  time > now ? `in ${about(Math.ceil((time - now) / SECOND) * SECOND)}` : `${about(now - time)} ago`;

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const SHORT = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Times that no calendar has come from damaged records. @param {number | undefined} time */
export const isTime = time => typeof time === 'number' && Math.abs(time) <= 8.64e15;

/** The time of the day, and the date unless it is that of today. @param {number} time  @param {number} now */
export const instant = (time, now) =>
  !isTime(time)
    ? '–'
    : DATE.format(time) === DATE.format(now)
      ? CLOCK.format(time)
      : `${DATE.format(time)}, ${CLOCK.format(time)}`;

/** The label of a tick of an axis with this distance of ticks. @param {number} time  @param {number} step */
export const tick = (time, step) =>
  !isTime(time) ? '' : step >= DAY ? DATE.format(time) : step >= MINUTE ? SHORT.format(time) : CLOCK.format(time);

const NUMBER = new Intl.NumberFormat('en');
/** @param {number} count */
export const number = count => NUMBER.format(count);

/** `1 lock`, `2 locks`. @param {number} count  @param {string} noun */
export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A node without what all addresses share. @param {string} name */
export const nodeName = name => name.replace(/^rediss?:\/\/(?:[^@/]*@)?/, '');

/** What no screen shows, or what changes the order of what it shows: controls, formats, separators, half surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Foreign text in parts: what can be shown, and escapes for what cannot. No more than `limit` characters of it.
 * @param {string} text  @param {number} limit  @returns {{text: string, escape: boolean}[]}
 */
export function visible(text, limit = 200) {
  /** @type {{text: string, escape: boolean}[]} */
  const parts = [];
  let length = 0;
  for (const char of text) {
    if (length++ >= limit) return [...parts, { text: '…', escape: true }];
    const escape = HIDDEN.test(char);
    const shown = escape ? escaped(char) : char;
    const last = parts[parts.length - 1];
    if (last && last.escape === escape) last.text += shown;
    else parts.push({ text: shown, escape });
  }
  return parts;
}

/** Foreign text as one string. @param {string} text  @param {number} [limit] */
export const plain = (text, limit) =>
  visible(text, limit)
    .map(part => part.text)
    .join('');

/** @param {string} char */
function escaped(char) {
  const known = /** @type {Record<string, string>} */ ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' });
  return known[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** One of eight colours for a client, the same on every page and after a restart. @param {string} name */
export function tint(name) {
  let hash = 7;
  for (let i = 0; i < name.length && i < 64; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
  return `tint-${((hash ^ (hash >>> 15)) >>> 0) % 8}`;
}
