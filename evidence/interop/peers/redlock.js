// Runs node-redlock. Reads requests such as "acquire KEY TTL" and replies "yes" or "no" to each.
const Redis = require('ioredis');
const Redlock = require('redlock');

const clients = process.argv.slice(2).map((uri) => {
  const client = new Redis(uri, { maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  return client;
});
const redlock = new Redlock(clients, { retryCount: 0 });
const held = new Map();

const actions = {
  acquire: async (key, ttl) => held.set(key, await redlock.lock(key, Number(ttl))),
  extend: async (key, ttl) => held.set(key, await held.get(key).extend(Number(ttl))),
  release: async (key) => {
    await held.get(key).unlock();
    held.delete(key);
  },
};

require('readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const [action, ...words] = line.split(' ');
  try {
    await actions[action](...words);
    console.log('yes');
  } catch (refusal) {
    console.log('no');
  }
}).on('close', () => process.exit(0));
