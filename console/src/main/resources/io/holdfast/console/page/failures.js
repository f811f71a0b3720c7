// @ts-check
/** The last runs that failed, of all jobs. */
import { path } from './route.js';
import { RUN_STATES } from './runs.js';
import { Relative, Text } from './parts.js';
import { h, useMemo } from './view.js';

const SHOWN = 5;

/** The text of a run, which is the exit code of a program or the name of an exception. */
export const Reason = ({ text }) =>
  text ? [/^\d+$/.test(text) ? 'exit code ' : '', h(Text, { text, limit: 300, key: 'text' })] : null;

/** @param {{jobs: import('./state.js').Job[]}} properties */
export function Failures({ jobs }) {
  const failures = useMemo(() => latest(jobs), [jobs]);
  if (failures.length === 0) return null;
  return h(
    'section',
    { class: 'failures', 'aria-labelledby': 'failures-title' },
    h('h2', { id: 'failures-title' }, 'Last failures'),
    h(
      'ul',
      null,
      failures.map((/** @type {any} */ { job, run, end }) =>
        h(
          'li',
          { key: `${run.start} ${job.name}` },
          h('a', { href: path('jobs', job.name) }, h(Text, { text: job.name, limit: 60 })),
          h('span', { class: 'loss' }, (RUN_STATES[run.status] ?? RUN_STATES.unknown)[0]),
          h('span', { class: 'muted' }, h(Relative, { time: end })),
          h('span', null, h(Reason, { text: run.text })),
          run.runner && h('span', { class: 'muted' }, 'by ', h(Text, { text: run.runner, limit: 100 })),
        ),
      ),
    ),
  );
}

/** @param {import('./state.js').Job[]} jobs */
const latest = jobs =>
  jobs
    .flatMap(job => job.runs.filter(run => bad(run)).map(run => ({ job, run, end: run.end || run.start })))
    .sort((a, b) => b.end - a.end)
    .slice(0, SHOWN);

/** @param {import('./state.js').Run} run */
const bad = run => run.status === 'failed' || run.status === 'lost';
