// @ts-check
/** The jobs: what ran, how long it took, what is due, and what nobody ran. */
import * as clock from './clock.js';
import { Failures, Reason } from './failures.js';
import { RUN_STATES, RunChart, RunStrip } from './runs.js';
import { useMedia, useWindow } from './list.js';
import { LockLink } from './lock.js';
import { path } from './route.js';
import { about, duration, plain } from './format.js';
import { At, Badge, Empty, Facts, Head, PanelHead, Relative, Text } from './parts.js';
import { h, useMemo, useRef } from './view.js';

/** Heights of rows, as in views.css. */
const ROW = 64;
const CARD = 152;

/** @param {import('./state.js').Job} job */
const idle = job =>
  !job.lastSuccess ? ['no success yet', 'free'] : job.nextDue ? ['on time', 'good'] : ['succeeded', 'good'];

/** @param {import('./state.js').Job} job */
const states = job =>
  /** @type {string[][]} */ (
    [
      job.overdue && ['overdue', 'overdue'],
      job.failed && ['last run failed', 'lost'],
      job.running && ['running', 'held'],
      !job.overdue && !job.failed && !job.running && idle(job),
      !job.complete && ['runs may be missing', 'waiting'],
    ].filter(Boolean)
  );

const Badges = ({ job }) =>
  h(
    'span',
    { class: 'badges' },
    states(job).map(([text, kind]) => h(Badge, { kind, key: text }, text)),
  );

/** The median of the runs that succeeded. @param {import('./state.js').Job} job */
function usual(job) {
  const times = job.runs
    .filter(run => run.status === 'succeeded' && run.end)
    .map(run => (run.end ?? 0) - run.start)
    .sort((a, b) => a - b);
  return times.length ? about(times[Math.floor(times.length / 2)]) : '–';
}

const COLUMNS = [
  ['name', 'Job'],
  ['runs', 'Runs, the newest on the right; higher is longer'],
  ['last', 'Last success'],
  ['due', 'Next due'],
  ['usual', 'Takes'],
];

const KEYS = [
  ['good', 'succeeded'],
  ['lost', 'failed or lost'],
  ['held', 'running'],
  ['missing', 'due, but not run'],
];

export function Jobs({ overview, selected }) {
  const { jobs } = overview;
  return h(
    'section',
    { class: 'jobs', 'aria-labelledby': 'jobs-title' },
    jobs.length === 0
      ? h(
          'div',
          { class: 'page' },
          h('h1', { id: 'jobs-title' }, 'Jobs'),
          h(
            Empty,
            { title: 'No job has run.' },
            h(
              'p',
              null,
              'A lock that is held once per period is a job: ',
              h('code', null, 'holdfast run report --once-per @daily -- ./report'),
            ),
          ),
        )
      : h(Table, { jobs, selected }),
  );
}

function Table({ jobs, selected }) {
  const frame = useRef(null);
  const height = useMedia('(max-width: 720px)') ? CARD : ROW;
  const order = useMemo(() => [...jobs].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)), [jobs]);
  const { first, last, above, below } = useWindow(frame, order.length, height);
  const spacer = (/** @type {string} */ key, /** @type {number} */ size) =>
    h('tr', { key, class: 'spacer', 'aria-hidden': 'true', style: { height: `${size}px` } });
  return h(
    'div',
    { class: 'scroll page', ref: frame },
    h('h1', { id: 'jobs-title' }, 'Jobs'),
    h(
      'ul',
      { class: 'legend', 'aria-label': 'Colours' },
      KEYS.map(([kind, text]) =>
        h('li', { key: kind }, h('span', { class: `key ${kind}`, 'aria-hidden': 'true' }), text),
      ),
    ),
    h(
      'table',
      { class: 'rows', role: 'table', 'aria-labelledby': 'jobs-title', 'aria-rowcount': order.length + 1 },
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          COLUMNS.map(([key, title]) => h('th', { key, class: key, role: 'columnheader', scope: 'col' }, title)),
        ),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        spacer('above', above),
        order
          .slice(first, last)
          .map((job, i) => h(JobRow, { key: job.name, job, index: first + i, selected: job.name === selected })),
        spacer('below', below),
      ),
    ),
    h(Failures, { jobs }),
  );
}

/** @param {import('./state.js').Job} job */
const rank = job => (job.overdue ? 0 : job.failed ? 1 : 2);

const JobRow = ({ job, index, selected }) =>
  h(
    'tr',
    { role: 'row', 'aria-rowindex': index + 2, 'data-index': index, class: selected ? 'selected' : '' },
    h(
      'th',
      { class: 'name', role: 'rowheader', scope: 'row' },
      h(
        'a',
        { href: path('jobs', job.name), 'aria-current': selected ? 'true' : undefined },
        h(Text, { text: job.name }),
      ),
      h(Badges, { job }),
    ),
    h('td', { class: 'runs', role: 'cell' }, h(RunStrip, { job })),
    h(
      'td',
      { class: 'last', role: 'cell' },
      h('span', { class: 'label' }, 'last success '),
      job.lastSuccess ? h(Relative, { time: job.lastSuccess }) : 'never',
    ),
    h('td', { class: 'due', role: 'cell' }, h('span', { class: 'label' }, 'next due '), h(Due, { job })),
    h('td', { class: 'usual figure', role: 'cell' }, h('span', { class: 'label' }, 'takes '), usual(job)),
  );

function Due({ job }) {
  const now = clock.useNow();
  if (!job.nextDue) return '–';
  if (job.nextDue > now) return h(Relative, { time: job.nextDue });
  return h(
    'span',
    { class: job.overdue ? 'late figure' : 'figure' },
    job.overdue ? `${about(now - job.nextDue)} late` : 'now',
  );
}

export function JobDetail({ overview, name, close }) {
  const job = overview.jobs.find((/** @type {any} */ one) => one.name === name);
  return h(
    'aside',
    { class: 'panel', 'aria-labelledby': 'job-title' },
    h(PanelHead, { kind: 'job', name, close }),
    !job && h(Empty, { title: 'No such job has run.' }),
    job && h('p', { class: 'now' }, h(Badges, { job })),
    job &&
      h(Facts, {
        facts: [
          ['Expected', job.expectEveryMillis > 0 ? `every ${duration(job.expectEveryMillis)}` : undefined],
          ['Last success', job.lastSuccess ? h(At, { time: job.lastSuccess }) : 'never'],
          [
            'Next due',
            job.nextDue ? [h(At, { key: 'at', time: job.nextDue }), ' (', h(Due, { key: 'due', job }), ')'] : undefined,
          ],
          ['Takes', usual(job)],
          ['Lock', h(LockLink, { name: job.name })],
        ],
      }),
    job && h(RunChart, { job }),
    job && h(Runs, { runs: job.runs }),
  );
}

const Runs = ({ runs }) =>
  h(
    'table',
    { class: 'plain', 'aria-label': 'Runs, newest first' },
    h(Head, { titles: ['Start', 'Took', 'Result', 'By'] }),
    h(
      'tbody',
      null,
      [...runs]
        .reverse()
        .slice(0, 50)
        .map((/** @type {any} */ run) => {
          const [state, kind] = RUN_STATES[run.status] ?? [plain(run.status, 30), 'free'];
          return h(
            'tr',
            { key: `${run.start}-${run.runner}` },
            h('td', null, h(At, { time: run.start })),
            h('td', { class: 'figure' }, run.end ? duration(run.end - run.start) : '–'),
            h(
              'td',
              null,
              h('span', { class: kind === 'lost' ? 'loss' : '' }, state),
              kind === 'lost' && run.text && h('span', { class: 'note' }, h(Reason, { text: run.text })),
            ),
            h('td', null, h(Text, { text: run.runner, limit: 200 })),
          );
        }),
    ),
  );
