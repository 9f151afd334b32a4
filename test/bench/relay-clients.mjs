// Clients of the camera's stream over TCP: node relay-clients.mjs drain PORT COUNT reads and drops all until it is
// ended, bare PORT COUNT does so from a server that asks nothing, sink PORT from all that connect to it, record PORT
// from all that publish a stream by RTSP; join PORT COUNT prints how many milliseconds each of as many joins takes from
// PLAY to the end of its first picture.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const [mode, port, count] = process.argv.slice(2);
const url = `rtsp://127.0.0.1:${port}/live`;

/** Sends a request; the answer's head. Nothing else comes before PLAY is answered. */
async function ask(socket, line, ...headers) {
  socket.write(`${[`${line} RTSP/1.0`, 'CSeq: 1', ...headers].join('\r\n')}\r\n\r\n`);
  const [bytes] = await once(socket, 'data');
  const text = bytes.toString('latin1');
  if (!text.startsWith('RTSP/1.0 200')) throw new Error(`${line}: ${text.split('\r\n')[0]}`);
  return text;
}

async function prepare() {
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  await ask(socket, `DESCRIBE ${url}`);
  const answer = await ask(socket, `SETUP ${url}/trackID=0`, 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1');
  return { socket, session: /^Session: (\w+)/m.exec(answer)[1] };
}

/** True if bytes hold a packet that ends a picture of the channel 0: its marker is set. */
function holdsPicture(bytes) {
  let at = bytes.indexOf('\r\n\r\n') + 4;
  while (at + 6 <= bytes.length) {
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return false;
    if (bytes[at + 1] === 0 && bytes[at + 5] >= 0x80) return true;
    at = end;
  }
  return false;
}

async function join() {
  const { socket, session } = await prepare();
  const began = performance.now();
  socket.write(`PLAY ${url}/ RTSP/1.0\r\nCSeq: 3\r\nSession: ${session}\r\n\r\n`);
  let bytes = Buffer.alloc(0);
  for await (const piece of socket) {
    bytes = Buffer.concat([bytes, piece]);
    if (holdsPicture(bytes)) break;
  }
  socket.destroy();
  return performance.now() - began;
}

/** Agrees to each request of a publisher (RFC 2326, sections 10.2, 10.3 and 10.11), until RECORD begins the stream. */
function record(socket) {
  let text = '';
  const read = (piece) => {
    text += piece.toString('latin1');
    for (;;) {
      const [, head] = /^([^]*?)\r\n\r\n/.exec(text) ?? [];
      const body = Number(/^Content-Length: *(\d+)/im.exec(head ?? '')?.[1] ?? 0);
      if (head === undefined || text.length < head.length + 4 + body) return;
      text = text.slice(head.length + 4 + body);
      const said = head.split('\r\n').filter((line) => /^(?:CSeq|Transport):/i.test(line));
      socket.write(`${['RTSP/1.0 200 OK', ...said, 'Session: 1'].join('\r\n')}\r\n\r\n`);
      if (head.startsWith('RECORD')) socket.off('data', read).resume();
    }
  };
  socket.on('error', () => {});
  socket.on('data', read);
}

if (mode === 'join') {
  const times = [];
  for (let index = 0; index < Number(count); index += 1) {
    times.push(await join());
    // Not in step with the key frames.
    await pause(370);
  }
  console.log(JSON.stringify(times));
} else if (mode === 'sink') {
  createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
  }).listen(Number(port), '127.0.0.1');
} else if (mode === 'record') {
  createServer(record).listen(Number(port), '127.0.0.1');
} else if (mode === 'bare') {
  for (let index = 0; index < Number(count); index += 1) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('.'));
    socket.resume();
    socket.once('close', () => process.exit(1));
  }
} else {
  for (let index = 0; index < Number(count); index += 1) {
    const { socket, session } = await prepare();
    await ask(socket, `PLAY ${url}/`, `Session: ${session}`);
    socket.resume();
    socket.once('close', () => process.exit(1));
  }
}
