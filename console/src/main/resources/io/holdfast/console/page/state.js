// @ts-check
/** What the page knows of the locks, and how a message of the console changes it. Pure functions, and one store. */

/**
 * @typedef {{id: string, name: string, pid?: number, since?: number}} Client
 * @typedef {{id: string, name: string, at: number, end: string}} Loss
 * @typedef {{name: string, state: string, holder?: string, clients: Client[], token?: string, freeAt?: number,
 *   leaseMillis?: number, note?: string, heldSince?: number, queue: Client[], waiting?: number, lost?: Loss}} Lock
 * @typedef {{name: string, state: string, cause?: string, latencyMillis?: number, quarantineEnds?: number,
 *   demo?: string}} Node
 * @typedef {{start: number, end?: number, status: string, text?: string, runner?: string}} Run
 * @typedef {{name: string, overdue: boolean, failed: boolean, running: boolean, complete: boolean,
 *   lastSuccess?: number, nextDue?: number, expectEveryMillis?: number, runs: Run[]}} Job
 * @typedef {{client: string, name: string, waitsFor: string}} Step
 * @typedef {{version: number, time: number, mayBreak: boolean, mayAdmit: boolean, demo: boolean,
 *   source: {name: string, nodes: number, majority: number}, nodes: Node[],
 *   previousNodes: Node[], spareVotes: number,
 *   locks: Map<string, Lock>, jobs: Job[], cycles: Step[][],
 *   reading: {complete: boolean, keys: number, detail: string, locks: number, left: number},
 *   demoClients: {id: string, name: string, state: string}[]}} Overview
 * @typedef {{overview: Overview | null, connection: 'connecting' | 'live' | 'lost', problem: string}} State
 */

/** @type {State} */
export const NOTHING = { overview: null, connection: 'connecting', problem: '' };

/** A row with all that views read: a lock that nobody holds has no clients. @param {any} lock  @returns {Lock} */
const row = lock => ({ ...lock, clients: lock.clients ?? [], queue: lock.queue ?? [] });

/** Jobs with their runs, the oldest first. @param {any[]} jobs  @returns {Job[]} */
const inOrder = jobs =>
  jobs.map(job => ({ ...job, runs: [...(job.runs ?? [])].sort((/** @type {Run} */ a, b) => a.start - b.start) }));

/** How many clients wait for a lock: a long queue is not sent whole. @param {Lock} lock */
export const waiting = lock => Math.max(lock.waiting ?? 0, lock.queue.length);

/** @param {any} message the whole state, as sent  @returns {Overview} */
export function whole(message) {
  const locks = new Map(message.locks.map((/** @type {Lock} */ lock) => [lock.name, row(lock)]));
  return { previousNodes: [], cycles: [], demoClients: [], ...message, jobs: inOrder(message.jobs ?? []), locks };
}

/** @param {Overview} before  @param {any} change  @returns {Overview} */
export function changed(before, change) {
  const locks = new Map(before.locks);
  for (const name of change.removed ?? []) locks.delete(name);
  for (const lock of change.locks ?? []) locks.set(lock.name, row(lock));
  const jobs = change.jobs ? inOrder(change.jobs) : before.jobs;
  return { ...before, ...change, jobs, locks };
}

/** The numbers of the header. @param {Overview} overview */
export function counts(overview) {
  let held = 0;
  let waits = 0;
  for (const lock of overview.locks.values()) {
    if (lock.state === 'held' || lock.state === 'shared') held++;
    waits += waiting(lock);
  }
  const overdue = overview.jobs.filter(job => job.overdue).length;
  return { held, waiting: waits, cycles: overview.cycles.length, overdue };
}

/** The losses that the second state has and the first has not. @param {Overview} before  @param {Overview} after */
export function losses(before, after) {
  const found = [];
  for (const lock of after.locks.values()) {
    if (lock.lost && before.locks.get(lock.name)?.lost?.at !== lock.lost.at) found.push(lock);
  }
  return found;
}

/** @template T  @param {T} first */
export function createStore(first) {
  let state = first;
  const listeners = new Set();
  return {
    get: () => state,
    /** @param {Partial<T>} part */
    set(part) {
      state = { ...state, ...part };
      for (const listener of listeners) listener(state);
    },
    /** @param {(state: T) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
