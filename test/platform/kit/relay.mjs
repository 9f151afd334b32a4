// Passes each connection on to a socket in the file system, which is the way out of a network of its own. Usage:
// node relay.mjs PORT FILE [PORT FILE]
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const relays = process.argv.slice(2);
for (let at = 0; at < relays.length; at += 2) {
  const [port, file] = [Number(relays[at]), relays[at + 1]];
  createServer((socket) => {
    const out = connect(file);
    pipeline(socket, out, socket, () => {});
  }).listen(port, '::');
}
