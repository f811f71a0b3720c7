// @ts-check
/** The runs of a job as pictures: a strip for the list, and a chart over time for one job. */
import { Axis, scale } from './axis.js';
import * as clock from './clock.js';
import { duration, instant, plural } from './format.js';
import { useWidth } from './list.js';
import { h, useRef } from './view.js';

/** What the status of a run is called, and its colour. */
export const RUN_STATES = {
  succeeded: ['succeeded', 'good'],
  failed: ['failed', 'lost'],
  lost: ['lock lost', 'lost'],
  ended: ['ended', 'free'],
  running: ['running', 'held'],
  unknown: ['unknown', 'free'],
};

const CELL = 11;
const HEIGHT = 32;
const GAPS = 12;
/** The most runs of a record, as JobHistory keeps them. */
const MOST_RUNS = 20;

/**
 * A cell for each run, and one for each period in which nobody ran the job. A period is missing if the distance of two
 * runs says so: the changes of daylight saving, and runs that begin late, move no run to another cell.
 * @param {import('./state.js').Job} job  @param {number} now
 */
export function cells(job, now) {
  const every = job.expectEveryMillis ?? 0;
  /** @type {{kind: string, run?: import('./state.js').Run}[]} */
  const found = [];
  const gap = (/** @type {number} */ periods) => {
    for (let i = 0; i < Math.min(GAPS, periods); i++) found.push({ kind: 'missing' });
  };
  job.runs.forEach((run, i) => {
    const distance = i ? run.start - job.runs[i - 1].start : 0;
    // Runs may be left out between the first ones of a full record.
    const isKnown = i > 1 || job.runs.length < MOST_RUNS;
    if (every > 0 && distance > 1.6 * every && isKnown) gap(Math.round(distance / every) - 1);
    found.push({ kind: (RUN_STATES[run.status] ?? RUN_STATES.unknown)[1], run });
  });
  if (job.overdue && every > 0 && job.nextDue) gap(Math.floor(Math.max(0, now - job.nextDue) / every) + 1);
  return found;
}

/** @param {import('./state.js').Run} run  @param {number} now */
const titleOf = (run, now) =>
  `${instant(run.start, now)}: ${(RUN_STATES[run.status] ?? RUN_STATES.unknown)[0]}, ${duration(took(run, now))}`;

/** @param {import('./state.js').Run} run  @param {number} now */
const took = (run, now) => Math.max(0, (run.end ?? (run.status === 'running' ? now : run.start)) - run.start);

export function RunStrip({ job }) {
  const frame = useRef(null);
  const width = useWidth(frame);
  const now = clock.useNow();
  const room = Math.max(4, Math.floor((width || 200) / CELL));
  const shown = cells(job, now).slice(-room);
  const longest = Math.max(1, ...shown.map(cell => (cell.run ? took(cell.run, now) : 0)));
  const bad = job.runs.filter(run => run.status === 'failed' || run.status === 'lost').length;
  return h(
    'div',
    { class: 'strip', ref: frame },
    h(
      'svg',
      {
        width: shown.length * CELL,
        height: HEIGHT,
        role: 'img',
        'aria-label': `${plural(job.runs.length, 'run')}, ${bad} failed or lost${job.overdue ? ', now overdue' : ''}`,
      },
      shown.map(({ kind, run }, i) => {
        const height = run ? 6 + Math.sqrt(took(run, now) / longest) * (HEIGHT - 8) : HEIGHT - 12;
        const title = run ? titleOf(run, now) : 'due, but not run';
        return h(
          'g',
          { key: run ? run.start : `missing-${i}` },
          h('title', null, title),
          h('rect', {
            class: `run ${kind}`,
            x: i * CELL + (run ? 0 : 0.5),
            y: HEIGHT - height - (run ? 0 : 0.5),
            width: CELL - (run ? 3 : 4),
            height,
            rx: 2,
          }),
          kind === 'lost' && h(Cut, { x: i * CELL, y: HEIGHT - height / 2, width: CELL - 3 }),
        );
      }),
    ),
  );
}

/** A slanted cut, so that a failed run is told from another one without its colour. */
const Cut = ({ x, y, width }) => h('path', { class: 'cut', d: `M${x - 1} ${y + 3}L${x + width + 1} ${y - 3}` });

const CHART = 116;

/** Each run at its time, as high as it took long. */
export function RunChart({ job }) {
  const frame = useRef(null);
  const width = useWidth(frame);
  const now = clock.useNow();
  const from = Math.min(now - 60_000, ...job.runs.map((/** @type {any} */ run) => run.start));
  const to = Math.max(now, job.nextDue ?? 0);
  const longest = Math.max(1, ...job.runs.map((/** @type {any} */ run) => took(run, now)));
  const right = width - 8;
  const x = scale(from, to, 4, right);
  const base = CHART - 22;
  return h(
    'section',
    { 'aria-labelledby': 'runs-title' },
    h('h3', { id: 'runs-title' }, 'Runs'),
    h(
      'div',
      { class: 'chart', ref: frame },
      width > 0 &&
        job.runs.length > 0 &&
        h(
          'svg',
          {
            width,
            height: CHART,
            role: 'img',
            'aria-label': `Runs over time, the longest took ${duration(longest)}; the table below has each of them`,
          },
          h(Axis, { from, to, left: 4, right, height: CHART }),
          h('text', { class: 'scale-name', x: 4, y: 10 }, `longest ${duration(longest)}`),
          h('line', { class: 'now-line', x1: x(now), x2: x(now), y1: 14, y2: base }),
          job.nextDue > 0 &&
            h(
              'line',
              {
                class: job.overdue ? 'due-line late' : 'due-line',
                x1: x(job.nextDue),
                x2: x(job.nextDue),
                y1: 14,
                y2: base,
              },
              h('title', null, 'next due'),
            ),
          job.runs.map((/** @type {any} */ run) => {
            const height = 5 + (took(run, now) / longest) * (base - 24);
            const [state, kind] = RUN_STATES[run.status] ?? RUN_STATES.unknown;
            const left = x(run.start) - 1.5;
            const size = Math.max(4, x(run.end || run.start) - x(run.start));
            return h(
              'g',
              { key: run.start },
              h('title', null, `${instant(run.start, now)}: ${state}, ${duration(took(run, now))}`),
              h('rect', { class: `run ${kind}`, x: left, y: base - height, width: size, height, rx: 1.5 }),
              kind === 'lost' && h(Cut, { x: left, y: base - height / 2, width: size }),
            );
          }),
        ),
    ),
  );
}
