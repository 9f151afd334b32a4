// A service of the panel: listens on a port of every address, and prints a line for each connection that arrives.
import { createServer } from 'node:net';

const [, , port] = process.argv;

createServer((socket) => {
  socket.on('error', () => {});
  process.stdout.write('took\n');
  // As a broker answers a CONNECT (MQTT 3.1.1, section 3.2).
  socket.once('data', () => socket.end(Buffer.from([0x20, 2, 0, 0])));
}).listen({ host: '::', port: Number(port) }, () => process.stdout.write('ready\n'));
