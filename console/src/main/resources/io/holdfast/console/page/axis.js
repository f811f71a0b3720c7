// @ts-check
/** A scale of time, and its ticks. */
import { tick } from './format.js';
import { h } from './view.js';

const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000, 7_776_000,
].map(seconds => seconds * 1000);

/** @param {number} from  @param {number} to  @param {number} left  @param {number} right */
export const scale = (from, to, left, right) => (/** @type {number} */ time) =>
  left + ((Math.max(from, Math.min(to, time)) - from) / Math.max(1, to - from)) * (right - left);

/**
 * Round instants of the viewer's time zone, about `room` of them at most.
 * @param {number} from  @param {number} to  @param {number} room
 */
export function ticks(from, to, room) {
  const step = STEPS.find(candidate => (to - from) / candidate <= Math.max(1, room)) ?? to - from;
  const zone = new Date(to).getTimezoneOffset() * 60_000;
  const found = [];
  for (let time = Math.ceil((from - zone) / step) * step + zone; time <= to; time += step) found.push(time);
  return { step, found };
}

/** @param {{from: number, to: number, left: number, right: number, height: number}} properties */
export function Axis({ from, to, left, right, height }) {
  const x = scale(from, to, left, right);
  const { step, found } = ticks(from, to, (right - left) / 72);
  return h(
    'g',
    { class: 'axis' },
    found.map(time =>
      h(
        'g',
        { key: time },
        h('line', { x1: x(time), x2: x(time), y1: 0, y2: height - 16 }),
        h(
          'text',
          { x: Math.min(x(time), right - 2), y: height - 3, 'text-anchor': x(time) > right - 24 ? 'end' : 'middle' },
          tick(time, step),
        ),
      ),
    ),
  );
}
