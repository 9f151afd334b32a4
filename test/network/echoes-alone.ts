import { datagramWay } from '#drivers/path-probe/datagram.ts';
import { pingWay } from '#drivers/path-probe/ping.ts';

// One way to send echoes, in whatever network this process has: bursts to each of the addresses, at the same time.
const [name, ...addresses] = process.argv.slice(2);
const way = name === 'ping' ? pingWay() : datagramWay();
const none = new AbortController().signal;
const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');

const [ipv4, ipv6] = [await way.works('ipv4', none), await way.works('ipv6', none)];
const bursts = await Promise.all(addresses.map((address) => way.burst({ address, family: familyOf(address) }, none)));
const began = performance.now();
await way.burst({ address: addresses[0] ?? '', family: 'ipv4' }, AbortSignal.timeout(50));
const givenUpMs = performance.now() - began;
process.stdout.write(JSON.stringify({ works: { ipv4, ipv6 }, bursts, givenUpMs }));
