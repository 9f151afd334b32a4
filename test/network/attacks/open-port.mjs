// A service of the panel: listens on a port of every address, and prints a line for each connection that arrives.
import { createServer } from 'node:net';

const [, , port] = process.argv;

createServer((socket) => {
  socket.on('error', () => {});
  process.stdout.write('took\n');
  socket.end();
}).listen({ host: '::', port: Number(port) }, () => process.stdout.write('ready\n'));
