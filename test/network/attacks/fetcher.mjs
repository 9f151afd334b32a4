// Fetches a file from a web server from each of the addresses at once. Prints a line for each that was answered or
// ended, with the bytes of its body.
import { get } from 'node:http';

const { from, to, port, path } = JSON.parse(process.argv[2]);
console.log('fetching');
for (const localAddress of from) {
  let bytes = 0;
  const end = () => console.log(`ended ${bytes}`);
  const request = get({ host: to, port, path, localAddress, agent: false }, (response) => {
    response.on('data', (chunk) => (bytes += chunk.length));
    response.on('close', end);
  });
  request.on('error', end);
}
