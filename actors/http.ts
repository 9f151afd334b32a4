import type { ChildSpec } from '#actors/kit/spec.ts';
import type { HttpEvent } from '#machines/http/events.ts';
import { httpMachine } from '#machines/http/machine.ts';
import type { DriverLogic } from '#machines/kit/placeholder.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** How long the web server may take to end: its drain time and some air. */
const STOP_MS: Milliseconds = 1000;

/**
 * The web server as a supervised worker: `listener` is the driver with the finished handler, `port` 0 takes any free
 * one.
 */
export const httpSpec = (deps: {
  readonly listener: DriverLogic<HttpEvent, { readonly port: number }>;
  readonly port: number;
}): ChildSpec => ({
  id: 'http',
  logic: httpMachine.provide({ actors: { listener: deps.listener } }),
  input: () => ({ port: deps.port }),
  restart: 'permanent',
  stop: { event: { type: 'http.stop' }, withinMs: STOP_MS },
});
