// Sends bytes (hexadecimal) from one address to another and prints what came back, as hexadecimal, when the server
// closes.
import { connect } from 'node:net';

const [from, to, port, bytes] = process.argv.slice(2);
const socket = connect({ host: to, port: Number(port), localAddress: from });
socket.setTimeout(4000, () => socket.destroy(new Error('timeout')));
socket.on('connect', () => socket.write(Buffer.from(bytes, 'hex')));
socket.on('data', (chunk) => process.stdout.write(chunk.toString('hex')));
socket.on('error', (error) => {
  process.stderr.write(`${error.code ?? error.message}\n`);
  process.exitCode = 1;
});
