import { randomUUID } from 'node:crypto';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AdvertiserCommand, AdvertiserFact, Lan } from '#machines/advertiser/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { type Responder, startResponder } from './responder-process.ts';
import { askNetwork } from './self-probe.ts';

/** Time for a responder's goodbye before it is killed. */
const END_MS: Milliseconds = 330;

interface Running {
  readonly responder: Responder;
  readonly lan: Lan;
  /** Random for each responder, so that an answer of an earlier one is not taken for this one's. */
  readonly token: string;
  instance: string;
}

type Start = Extract<AdvertiserCommand, { readonly type: 'responder.start' }>;

/** Runs the responder in a separate process (`program` is its file) and asks the network for its announcement. */
export function mdnsResponder(program: string) {
  // Shared by all instances of the driver: after a restart the new responder would take one that still says goodbye for
  // another machine.
  let leaving: Promise<boolean> = Promise.resolve(true);
  return fromDriver<AdvertiserCommand, undefined, AdvertiserFact>(({ send, onEvent, signal }) => {
    let running: Running | null = null;
    let newest = 0;

    const close = (): Promise<boolean> => {
      if (running !== null) leaving = running.responder.end(END_MS);
      running = null;
      return leaving;
    };
    const start = async ({ generation, lan, advertisement }: Start): Promise<void> => {
      newest = generation;
      const closed = await close();
      if (generation !== newest || signal.aborted) return;
      if (!closed) {
        leaving = Promise.resolve(true);
        send({ type: 'responder.failed', generation, code: 'teardown-failed' });
        return;
      }
      const token = randomUUID();
      let up = false;
      const order = {
        type: 'advertise',
        interface: lan.interface,
        family: lan.family,
        advertisement: { ...advertisement, txt: { ...advertisement.txt, probe: token } },
      } as const;
      const responder = startResponder(program, order, {
        reported: (report) => {
          mine.instance = report.instance;
          const renamed = report.instance !== advertisement.instance;
          if (report.type === 'up') {
            up = true;
            send({ type: 'responder.up', generation, renamed });
          } else if (up) send({ type: 'responder.renamed', generation });
        },
        died: () => {
          if (running === mine) running = null;
          send({ type: 'responder.failed', generation, code: up ? 'responder-died' : 'recreation-failed' });
        },
      });
      const mine: Running = { responder, lan, token, instance: advertisement.instance };
      running = mine;
    };

    onEvent(async (command) => {
      switch (command.type) {
        case 'responder.start':
          await start(command);
          break;
        case 'responder.stop':
          newest += 1;
          await close();
          break;
        case 'responder.ask': {
          const asked = running;
          const result =
            asked === null
              ? 'unavailable'
              : await askNetwork(asked.lan, [asked.instance, '_sconce', '_tcp', 'local'], asked.token, signal);
          // The result about a responder that was replaced meanwhile says nothing about this one.
          send({ type: 'responder.asked', ask: command.ask, result: asked === running ? result : 'unavailable' });
          break;
        }
      }
    });
    return async () => {
      await close();
    };
  });
}
