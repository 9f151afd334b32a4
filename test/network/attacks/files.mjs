// Sends a file of `bytes` to a web server from each of the addresses at once: it connects with all of them before it
// sends from any. Prints a line for each that was answered or ended: the status (0 for none) and the milliseconds.
import { connect } from 'node:net';

const { from, to, port, path, bytes } = JSON.parse(process.argv[2]);
const head = `POST ${path} HTTP/1.1\r\nHost: ${to}\r\nContent-Length: ${bytes}\r\n\r\n`;
const piece = Buffer.alloc(64 * 1024, 'x');

const open = (localAddress) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: to, port, localAddress });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });

function upload(socket) {
  const began = performance.now();
  let left = bytes;
  let text = '';
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
    console.log(`ended ${status} after ${Math.round(performance.now() - began)}`);
  };
  const fill = () => {
    while (left > 0) {
      if (isOver) return;
      const part = left < piece.length ? piece.subarray(0, left) : piece;
      left -= part.length;
      if (!socket.write(part)) return;
    }
  };
  socket.on('drain', fill);
  socket.on('error', end);
  socket.on('close', end);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (text.includes('\r\n\r\n')) end();
  });
  socket.write(head);
  fill();
}

const sockets = await Promise.all(from.map(open));
console.log('sending');
for (const socket of sockets) upload(socket);
