// @ts-check
/** The console's time, in milliseconds since 1970. It stands still while the page has no fresh data. */
import { useEffect, useState } from './view.js';

const SAMPLES = 12;
/** A message is not so late: then the clock of the console was set back. */
const LATEST = 5000;
/** @type {number[]} */
let offsets = [];
let frozenAt = 0;
let lastMessage = 0;

/** The viewer's clock, without the steps of a clock that is set. */
const here = () => performance.timeOrigin + performance.now();

/**
 * A message has arrived that the console wrote at `time`. A late message has a smaller offset: the largest counts.
 * @param {number} [time]
 */
export function heard(time) {
  if (time !== undefined) {
    const offset = time - here();
    if (offset < Math.max(...offsets) - LATEST) forget();
    offsets = [...offsets, offset].slice(-SAMPLES);
  }
  lastMessage = here();
  frozenAt = 0;
}

/** Stops the time: what is shown is old. */
export function freeze() {
  if (!frozenAt && lastMessage) frozenAt = now();
}

/** Another console may have another clock. */
export function forget() {
  offsets = [];
}

export const now = () => frozenAt || here() + (offsets.length ? Math.max(...offsets) : 0);

/** How old the data is, in milliseconds. */
export const age = () => (lastMessage ? here() - lastMessage : 0);

/** The time, and a new rendering whenever it has moved by a period. */
export function useNow(period = 1000) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((/** @type {number} */ tick) => tick + 1), period);
    return () => clearInterval(timer);
  }, [period]);
  return now();
}
