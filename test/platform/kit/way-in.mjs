// Passes each connection to a socket in the file system on to a port of its own machine, which is the way into a
// network of its own. Usage: node way-in.mjs FILE PORT
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const [file, port] = process.argv.slice(2);
createServer((socket) => {
  const inside = connect(Number(port), '127.0.0.1');
  pipeline(socket, inside, socket, () => {});
}).listen(file, () => process.stdout.write('ready\n'));
