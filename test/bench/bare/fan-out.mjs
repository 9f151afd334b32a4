// Writes one buffer, as large as a picture of the camera, to all its clients 15 times a second: node fan-out.mjs PORT
import { createServer } from 'node:net';

/** Pictures a second of a stream of 2 Mbit/s. */
const RATE = 15;
const BYTES = Math.round(2_000_000 / 8 / RATE);
const clients = new Set();

createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.once('data', () => clients.add(socket));
  socket.once('close', () => clients.delete(socket));
}).listen(Number(process.argv[2]), '127.0.0.1');

const began = performance.now();
let shown = 0;
function show() {
  const picture = Buffer.alloc(BYTES, shown & 255);
  for (const client of clients) client.write(picture);
  shown += 1;
  setTimeout(show, Math.max(1, began + (shown * 1000) / RATE - performance.now()));
}
show();
