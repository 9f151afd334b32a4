// Passes each connection on to a socket in the file system, which is the way out of a network of its own. Usage:
// node relay.mjs PORT FILE
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const [, , port, file] = process.argv;
createServer((socket) => {
  const out = connect(file);
  pipeline(socket, out, socket, () => {});
}).listen(Number(port), '::');
