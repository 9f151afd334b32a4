// A broker that says CONNACK, then `first`, and then `again` for as long as it is taken, bytes as hexadecimal text;
// prints a line when it listens, and one for each connection.
import { createServer } from 'node:net';

const { ports, first, again } = JSON.parse(process.argv[2]);
const chunk = Buffer.alloc(64 * 1024, Buffer.from(again, 'hex'));
function pour(socket) {
  for (;;) {
    if (socket.destroyed) return;
    if (!socket.write(chunk)) return void socket.once('drain', () => pour(socket));
  }
}
function serve(socket) {
  socket.on('error', () => {});
  socket.once('data', (connect) => {
    console.log('connected');
    // CONNECT names its protocol version behind the name "MQTT" of its variable header.
    socket.write(Buffer.from(connect[connect.indexOf('MQTT') + 4] === 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]));
    socket.write(Buffer.from(first, 'hex'));
    pour(socket);
  });
}
await Promise.all(
  ports.map((port) => new Promise((resolve) => void createServer(serve).listen(port, '0.0.0.0', resolve))),
);
console.log('listening');
