// Saves settings as fast as it is answered, over connections that it keeps, until it has sent `count` saves or is
// killed; prints a line with status and milliseconds for each answer.
import { Agent, request } from 'node:http';

const { from, to, port, connections, count, key, values } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from });
const save = (value) =>
  new Promise((resolve) => {
    const began = performance.now();
    const body = JSON.stringify({ [key]: value });
    const done = (status) => {
      console.log(`${status} ${Math.round(performance.now() - began)}`);
      resolve();
    };
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asked = request({ host: to, port, path: '/api/v1/config', method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode));
    });
    asked.on('error', () => done(0));
    asked.end(body);
  });
let sent = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    for (;;) {
      if (sent >= count) return;
      sent += 1;
      await save(values[sent % values.length]);
    }
  }),
);
agent.destroy();
