import { getResponder } from '@homebridge/ciao';

import { isEnd, readOrder, type ResponderOrder, type ResponderReport } from '#drivers/advertiser/messages.ts';

// A separate program: the library throws from its timers and calls process.exit, which must not reach the agent.

/** Longest time for the goodbye, in milliseconds. */
const GOODBYE_MS = 300;

function report(message: ResponderReport): void {
  if (process.connected) process.send?.(message);
}

async function advertise(order: ResponderOrder): Promise<() => Promise<void>> {
  const { instance, host, port, txt } = order.advertisement;
  // The interface is given: the library does not find those with an `@` in the system's list (veth, VLAN).
  const responder = getResponder({
    interface: order.interface,
    advertiseIpv4: order.family === 'ipv4',
    advertiseIpv6: order.family === 'ipv6',
  });
  // Over IPv4 this excludes the loopback; over IPv6 the library names its sockets differently, and uses no loopback.
  const restricted = order.family === 'ipv4' ? { restrictedAddresses: [order.interface] } : {};
  const service = responder.createService({
    name: instance,
    hostname: host,
    type: 'sconce',
    port,
    txt: { ...txt },
    ...restricted,
  });
  let named = instance;
  service.on('name-change', (name) => {
    named = name;
    report({ type: 'renamed', instance: name });
  });
  const announced = service.advertise().then(() => report({ type: 'up', instance: named }));
  // If the first announcement fails the process ends with an error, and the agent starts another.
  announced.catch(() => process.exit(1));
  return () => responder.shutdown();
}

function run(): void {
  let shutdown: (() => Promise<void>) | null = null;
  const end = (): void => {
    setTimeout(() => process.exit(0), GOODBYE_MS);
    void (shutdown?.() ?? Promise.resolve()).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('message', (message) => {
    if (isEnd(message)) {
      end();
      return;
    }
    const order = readOrder(message);
    if (order === null || shutdown !== null) process.exit(2);
    void advertise(order).then((stop) => {
      shutdown = stop;
    });
  });
  // The agent is gone, for whatever reason: say goodbye, and leave nothing behind.
  process.on('disconnect', end);
  // A signal to the whole group (Ctrl-C, the service manager) is for the agent, which ends this process. On SIGUSR1
  // Node would open its debugger to any user of the machine.
  for (const signal of ['SIGUSR1', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}

run();
