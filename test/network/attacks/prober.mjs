// Asks /health again and again, each time on a connection of its own, and prints the milliseconds of each as JSON; null
// for one that was refused or took longer than five seconds.
import { connect } from 'node:net';

const { from, to, port, count } = JSON.parse(process.argv[2]);
const probe = () =>
  new Promise((resolve) => {
    const began = performance.now();
    let text = '';
    const socket = connect({ host: to, port, localAddress: from });
    socket.setNoDelay(true);
    const timer = setTimeout(() => socket.destroy(), 5000);
    socket.on('connect', () => socket.write(`GET /health HTTP/1.1\r\nHost: ${to}\r\nConnection: close\r\n\r\n`));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(/^HTTP\/1\.1 200 .*\r\n\r\nsconce /s.test(text) ? performance.now() - began : null);
    });
  });
const times = [];
for (let index = 0; index < count; index += 1) times.push(await probe());
console.log(JSON.stringify(times));
