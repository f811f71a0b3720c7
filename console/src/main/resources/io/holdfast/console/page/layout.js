// @ts-check
/** Lays out the graph of waits in columns: on the left those who wait for nobody, to the right who waits for them. */

import { waiting } from './state.js';

export const SIZE = { client: 168, lock: 148, height: 30, column: 44, row: 12 };
/** More waiters of one lock than these are drawn as a number. */
const CROWD = 6;
/** More locks than these are in the list only. */
const LOCKS = 80;
const GAP = 20;
/** How far below its group a line runs that closes a cycle. */
const LOOP = 16;
const PITCH = (SIZE.client + SIZE.lock) / 2 + SIZE.column;

/**
 * @typedef {{key: string, kind: 'client' | 'lock' | 'more', label: string, id: string, red: boolean, x: number,
 *   y: number, depth: number, width: number}} Box
 * @typedef {{from: Box, to: Box, red: boolean, back: boolean, label: string, low: number}} Edge
 */

/**
 * @param {Iterable<import('./state.js').Lock>} locks  @param {import('./state.js').Step[][]} cycles
 * @returns {{boxes: Box[], edges: Edge[], width: number, height: number, left: number}}
 */
export function layout(locks, cycles) {
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  /** @type {Edge[]} */
  const edges = [];
  const steps = cycles.flat();
  const redClients = new Set(steps.map(step => step.client));
  const redLocks = new Set(steps.map(step => step.waitsFor));
  const redWaits = new Set(steps.map(step => JSON.stringify([step.client, step.waitsFor])));
  const box = (
    /** @type {any} */ kind,
    /** @type {string} */ id,
    /** @type {string} */ label,
    red = false,
    client = id,
  ) => {
    const key = `${kind} ${id}`;
    if (!boxes.has(key)) {
      boxes.set(key, {
        key,
        kind,
        label,
        id: client,
        red,
        x: 0,
        y: 0,
        depth: -1,
        width: kind === 'lock' ? SIZE.lock : SIZE.client,
      });
    }
    return /** @type {Box} */ (boxes.get(key));
  };
  const all = [...locks].filter(lock => lock.queue.length > 0);
  const weight = (/** @type {import('./state.js').Lock} */ lock) =>
    Number(redLocks.has(lock.name)) * 1e9 + waiting(lock);
  const waited = all.sort((a, b) => weight(b) - weight(a)).slice(0, LOCKS);
  const holders = new Set(waited.flatMap(lock => lock.clients.map(client => client.id)));
  // A client that holds nothing that is waited for is drawn beside each lock for which it waits: lines stay short.
  const place = (/** @type {string} */ client, /** @type {string} */ lock) =>
    holders.has(client) ? client : JSON.stringify([client, lock]);
  for (const lock of waited) {
    const target = box('lock', lock.name, lock.name, redLocks.has(lock.name));
    for (const holder of lock.clients) {
      const red = target.red && redClients.has(holder.id);
      edges.push({
        from: target,
        to: box('client', holder.id, holder.name || holder.id, redClients.has(holder.id)),
        red,
        back: false,
        label: '',
        low: 0,
      });
    }
    const inCycle = (/** @type {any} */ waiter) => redWaits.has(JSON.stringify([waiter.id, lock.name]));
    const shown = lock.queue.filter((waiter, i) => i < CROWD || inCycle(waiter));
    for (const waiter of shown) {
      const from = box(
        'client',
        place(waiter.id, lock.name),
        waiter.name || waiter.id,
        redClients.has(waiter.id),
        waiter.id,
      );
      edges.push({
        from,
        to: target,
        red: inCycle(waiter),
        back: false,
        label: String(lock.queue.indexOf(waiter) + 1),
        low: 0,
      });
    }
    const rest = waiting(lock) - shown.length;
    if (rest > 0)
      edges.push({
        from: box('more', lock.name, `${rest} more`),
        to: target,
        red: false,
        back: false,
        label: '',
        low: 0,
      });
  }
  return { ...arrange([...boxes.values()], edges), left: all.length - waited.length };
}

/** @param {Box[]} boxes  @param {Edge[]} edges */
function arrange(boxes, edges) {
  /** @type {Map<Box, Edge[]>} */
  const out = new Map(boxes.map(box => [box, []]));
  for (const edge of edges) out.get(edge.from)?.push(edge);
  measureDepths(boxes, out);
  const groups = components(boxes, edges).sort(
    (a, b) => Number(b.some(red)) - Number(a.some(red)) || b.length - a.length,
  );
  const kept = [...edges].sort((a, b) => Number(a.red) - Number(b.red));
  let top = 0;
  for (const group of groups) {
    const own = new Set(group);
    const inside = kept.filter(edge => own.has(edge.from));
    const bottom = placeGroup(group, inside, top);
    inside.filter(edge => edge.back).forEach((edge, i) => (edge.low = bottom + (i + 1) * LOOP));
    top = bottom + GAP + inside.filter(edge => edge.back).length * LOOP;
  }
  const width = Math.max(0, ...boxes.map(box => box.x + box.width));
  return {
    boxes,
    edges: kept,
    width,
    height: Math.max(0, top - GAP),
  };
}

const red = (/** @type {Box} */ box) => box.red;

/**
 * Places one group below `top`, and returns where it ends.
 * @param {Box[]} group  @param {Edge[]} edges  @param {number} top
 */
function placeGroup(group, edges, top) {
  /** @type {Box[][]} */
  const columns = [];
  for (const box of group) {
    (columns[box.depth] ??= []).push(box);
    box.x = box.depth * PITCH + (SIZE.client - box.width) / 2;
    box.y = top;
  }
  const forward = edges.filter(edge => !edge.back);
  const stack = (/** @type {Box[]} */ column, /** @type {(box: Box) => number} */ wish) => {
    let y = top;
    for (const box of column) {
      box.y = Math.max(y, wish(box));
      y = box.y + SIZE.height + SIZE.row;
    }
  };
  for (const column of columns) {
    const wishes = new Map(
      column.map(box => [
        box,
        middle(
          forward.filter(edge => edge.from === box),
          edge => edge.to.y + Number(edge.label) / 1000,
          top,
        ),
      ]),
    );
    const wish = (/** @type {Box} */ box) => wishes.get(box) ?? top;
    stack(
      column.sort((a, b) => wish(a) - wish(b)),
      wish,
    );
  }
  for (const column of [...columns].reverse())
    stack(column, box =>
      middle(
        forward.filter(edge => edge.to === box),
        edge => edge.from.y,
        box.y,
      ),
    );
  return Math.max(...group.map(box => box.y)) + SIZE.height;
}

/** @param {Edge[]} edges  @param {(edge: Edge) => number} value  @param {number} otherwise */
const middle = (edges, value, otherwise) =>
  edges.length ? edges.reduce((sum, edge) => sum + value(edge), 0) / edges.length : otherwise;

/** The longest way to a box that points to nothing. An edge that closes a circle is marked, and not followed. */
function measureDepths(/** @type {Box[]} */ boxes, /** @type {Map<Box, Edge[]>} */ out) {
  const entered = new Set();
  // A cycle is entered at one of its locks: then it begins with a client, on the left.
  const starts = [...boxes].sort((a, b) => Number(b.red && b.kind === 'lock') - Number(a.red && a.kind === 'lock'));
  for (const start of starts) {
    if (start.depth >= 0) continue;
    const stack = [{ box: start, next: 0 }];
    entered.add(start);
    while (stack.length > 0) {
      const frame = stack[stack.length - 1];
      const edges = out.get(frame.box) ?? [];
      if (frame.next < edges.length) {
        const edge = edges[frame.next++];
        if (edge.to.depth >= 0) continue;
        if (entered.has(edge.to)) edge.back = true;
        else {
          entered.add(edge.to);
          stack.push({ box: edge.to, next: 0 });
        }
      } else {
        frame.box.depth = Math.max(0, ...edges.filter(edge => !edge.back).map(edge => edge.to.depth + 1));
        stack.pop();
      }
    }
  }
}

/** @param {Box[]} boxes  @param {Edge[]} edges */
function components(boxes, edges) {
  /** @type {Map<Box, Box[]>} */
  const near = new Map(boxes.map(box => [box, []]));
  for (const { from, to } of edges) {
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  const seen = new Set();
  const found = [];
  for (const start of boxes) {
    if (seen.has(start)) continue;
    seen.add(start);
    const group = [start];
    for (let i = 0; i < group.length; i++) {
      for (const next of near.get(group[i]) ?? []) {
        if (!seen.has(next)) {
          seen.add(next);
          group.push(next);
        }
      }
    }
    found.push(group);
  }
  return found;
}
