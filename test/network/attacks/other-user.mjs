// Another user of the panel's machine, who holds names that an agent may look for: an abstract socket and an X server's
// socket. Prints who connects and what it can read, until its input ends. It is told
// `{"abstract":"...","display":"/tmp/.X11-unix/X177","lock":"/data/lock","uid":65534}`.
import { openSync } from 'node:fs';
import { createServer } from 'node:net';

const { abstract, display, lock, uid } = JSON.parse(process.argv[2] ?? '');
process.setgroups([]);
process.setgid(uid);
process.setuid(uid);
const say = (text) => process.stdout.write(`other user: ${text}\n`);
const listen = (path, name) =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      say(`${name} connected`);
      socket.on('error', () => {});
    });
    server.listen(path, resolve);
  });
try {
  openSync(lock, 'r+');
  say('lock opened');
} catch (error) {
  say(`lock ${error.code}`);
}
await listen(`\0${abstract}`, 'abstract');
await listen(display, 'display');
say('ready');
process.stdin.on('end', () => process.exit()).resume();
