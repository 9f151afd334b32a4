// A machine on the network of a test. Its argument says how: `address` is its own; it answers the question for Home
// Assistant with `advertises`; with `accepts` it takes every MQTT connection, whatever it carries, and prints what it
// got as `took HEX`. It prints `ready` once it listens. Each line that it is given is a list of records to multicast.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

import multicastDns from 'multicast-dns';

const { address, advertises = [], accepts = false } = JSON.parse(process.argv[2]);
const service = '_home-assistant._tcp.local';
const say = (line) => process.stdout.write(`${line}\n`);

const mdns = multicastDns({ interface: address, bind: '0.0.0.0', reuseAddr: true });
mdns.on('query', ({ questions }) => {
  if (advertises.length > 0 && questions.some(({ name }) => name === service)) mdns.respond({ answers: advertises });
});
mdns.on('ready', () => say('ready'));
createInterface({ input: process.stdin }).on('line', (line) => mdns.respond({ answers: JSON.parse(line) }));

if (accepts)
  createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      say(`took ${chunk.toString('hex')}`);
      const name = chunk.indexOf('MQTT');
      if (chunk[0] !== 0x10 || name < 0) return;
      // Of CONNACK, the properties came with version 5.
      socket.write(Buffer.from(chunk[name + 4] === 5 ? '2003000000' : '20020000', 'hex'));
    });
  }).listen(1883, address);
