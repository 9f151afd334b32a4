// Saves settings as fast as it is answered, over connections that it keeps, until it has sent `count` saves or is killed;
// prints a line with status and milliseconds for each answer.
import { Agent, request } from 'node:http';

const { from, to, port, connections, count, key, values } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from });
let sent = 0;
const save = () =>
  new Promise((resolve) => {
    const began = performance.now();
    const body = JSON.stringify({ [key]: values[(sent += 1) % values.length] });
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
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (sent < count) await save();
  }),
);
agent.destroy();
