import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';

import { reachabilityProbe, unreachableReason } from '#drivers/renderer/reachability-probe.ts';
import type { ReachabilityCommand, ReachabilityFact, UnreachableReason } from '#machines/renderer/events.ts';
import { freePort } from '../../scenarios/live-agent.ts';
import { isFact, runDriver, type RunningDriver } from '../run-driver.ts';

const seen = isFact<ReachabilityFact, 'reachability.probed'>('reachability.probed');

describe('probing Home Assistant', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  const serve = async (
    answer: RequestListener,
    port = 0,
  ): Promise<{ readonly server: Server; readonly origin: string; readonly port: number }> => {
    const server = createServer(answer).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    // A server that listens on TCP has an AddressInfo.
    const taken = (server.address() as AddressInfo).port;
    return { server, origin: `http://127.0.0.1:${taken}`, port: taken };
  };
  const start = (boundMs = 300): RunningDriver<ReachabilityCommand, ReachabilityFact> => {
    const driver = runDriver<ReachabilityCommand, ReachabilityFact>(
      reachabilityProbe({ now: Date.now, everyMs: 20, boundMs }),
    );
    ends.push(driver.stop);
    return driver;
  };

  test.each<[string, RequestListener, boolean, UnreachableReason | null]>([
    ['that serves its file', (_, response) => void response.end('{}'), true, null],
    ['that has no such file but answers', (_, response) => void response.writeHead(404).end(), true, null],
    ['behind a proxy that says 502', (_, response) => void response.writeHead(502).end(), false, 'http-error'],
    ['that takes the connection and says nothing', () => {}, false, 'timeout'],
    ['that hangs up', (request) => void request.socket.destroy(), false, 'failed'],
  ])('a Home Assistant %s', async (_, answer, reachable, reason) => {
    const { origin } = await serve(answer);
    const driver = start();
    driver.tell({ type: 'reachability.watch', origin });
    expect(await driver.until(seen)).toMatchObject({ origin, reachable, reason });
  });

  test('a Home Assistant that does not run is refused, and seen as soon as it does', async () => {
    const port = await freePort();
    const driver = start();
    driver.tell({ type: 'reachability.watch', origin: `http://127.0.0.1:${port}` });
    expect(await driver.until(seen)).toMatchObject({ reachable: false, reason: 'refused' });
    await serve((_, response) => void response.end('{}'), port);
    await driver.until((fact): fact is ReachabilityFact => fact.reachable);
  });

  test('asks one after the other, and nobody once it is told so', async () => {
    let open = 0;
    let most = 0;
    let asked = 0;
    const { origin } = await serve((_, response) => {
      asked += 1;
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('{}');
      }, 30);
    });
    const other = await serve((_, response) => void response.end('{}'));
    const driver = start();
    driver.tell({ type: 'reachability.watch', origin });
    await driver.until(
      (fact): fact is ReachabilityFact => fact.type === 'reachability.probed' && driver.facts.length >= 3,
    );
    expect(most).toBe(1);
    driver.tell({ type: 'reachability.watch', origin: other.origin });
    const before = asked;
    const from = driver.facts.length;
    await driver.until(
      (fact): fact is ReachabilityFact => fact.origin === other.origin && driver.facts.length >= from + 3,
      from,
    );
    expect(driver.facts.slice(from).map((fact) => fact.origin)).toEqual(
      driver.facts.slice(from).map(() => other.origin),
    );
    expect(asked).toBe(before);
    driver.tell({ type: 'reachability.watch', origin: null });
    expect(driver.crashed()).toBeUndefined();
  });

  test('another origin does not wait for a probe that nobody answers, and nothing more is heard of the first', async () => {
    let hung = (): void => {};
    const hangs = new Promise<void>((resolve) => {
      hung = resolve;
    });
    const frozen = await serve(() => hung());
    const other = await serve((_, response) => void response.end('{}'));
    const driver = start(60_000);
    driver.tell({ type: 'reachability.watch', origin: frozen.origin });
    await hangs;
    driver.tell({ type: 'reachability.watch', origin: other.origin });
    await driver.until((fact): fact is ReachabilityFact => fact.reachable && driver.facts.length >= 3);
    expect(driver.facts.map(({ origin }) => origin)).not.toContain(frozen.origin);
  });

  test.each([
    ['ECONNREFUSED', 'refused'],
    ['ETIMEDOUT', 'timeout'],
    ['ENOTFOUND', 'name-unknown'],
    ['EAI_AGAIN', 'name-unknown'],
    ['EHOSTUNREACH', 'no-route'],
    ['ENETUNREACH', 'no-route'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ECONNRESET', 'failed'],
    ['', 'failed'],
  ])('the code "%s" is %s', (code, reason) => expect(unreachableReason(code)).toBe(reason));
});
