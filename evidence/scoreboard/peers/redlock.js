// A client of the scoreboard with node-redlock: arguments are its number, the port of the witness, the lease in ms, the
// name of the contestant, and the addresses. It counts under the lock until the witness ends.
const net = require('net');
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');

if (process.argv[2] === '--version') {
  console.log(require('./package.json').dependencies.redlock);
  process.exit(0);
}

const [number, port, lease, , ...uris] = process.argv.slice(2);

/** Opens a connection to the witness, and returns a function that sends a line and awaits the answer. */
function connect() {
  const socket = net.connect(Number(port), '127.0.0.1');
  const waiting = [];
  socket.setNoDelay(true);
  socket.on('close', () => process.exit(1));
  socket.on('error', () => process.exit(1));
  require('readline').createInterface({ input: socket }).on('line', (line) => waiting.shift()(line));
  return (line) => new Promise((resolve) => {
    waiting.push(resolve);
    socket.write(line + '\n');
  });
}

const witness = connect();
const losses = connect();
const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
const clients = uris.map((uri) => new Redis(uri));
clients.forEach((client) => client.on('error', () => {}));
const redlock = new Redlock(clients);
redlock.on('error', () => {});

async function count() {
  let holds = 0;
  await witness('client ' + number);
  for (;;) {
    await witness('ask');
    for (let held = false; !held;) {
      try {
        await redlock.using(['counter'], Number(lease), async (signal) => {
          held = true;
          const hold = ++holds;
          signal.addEventListener('abort', () => losses(`lost ${number} ${hold}`));
          await witness('got -1');
          const value = Number(await witness('read'));
          await witness('work');
          if (!signal.aborted) {
            await witness('write ' + (value + 1));
          }
          await witness('release');
        });
      } catch (refused) {
        if (!held) {
          await witness('failed');
          await sleep(50);
        }
      }
    }
    await sleep(10);
  }
}

count();
