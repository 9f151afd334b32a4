// Clients of the live stream, as a page has one: each reads what comes and asks for nothing.
import { get } from 'node:http';

const [port, count] = process.argv.slice(2).map(Number);
function ended() {
  console.error('a live stream ended');
  process.exit(1);
}
for (let viewer = 0; viewer < count; viewer += 1) {
  const request = get(
    { host: '127.0.0.1', port, path: '/api/v1/events', agent: false, headers: { accept: 'text/event-stream' } },
    (response) => {
      if (response.statusCode !== 200) ended();
      response.resume().once('end', ended);
    },
  );
  request.once('error', ended);
}
