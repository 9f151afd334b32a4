// A registry of npm packages whose packages are all the same one, with a digest that fits it: what a neighbour between
// a panel and the registry can answer. Prints each path. It is told `{"host":"10.99.0.3","port":4873,"package":"FILE"}`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { host, port, package: file } = JSON.parse(process.argv[2] ?? '');
const bytes = readFileSync(file);
const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

const server = createServer(({ url }, response) => {
  console.log(url);
  if (url.endsWith('.tgz')) return void response.end(bytes);
  const name = decodeURIComponent(url.slice(1));
  const described = (version) => ({
    name,
    version,
    dist: { integrity, tarball: `http://${host}:${port}/${name}/-/${name}-${version}.tgz` },
  });
  const versions = Object.fromEntries(['22.23.3', '10.9.9'].map((version) => [version, described(version)]));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ name, 'dist-tags': { latest: '22.23.3' }, versions }));
});
server.listen(port, host, () => console.log('listening'));
