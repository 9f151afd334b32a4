import { part, type Part } from './kit/part.ts';
import type { HttpEvent, HttpFact } from '#machines/http/events.ts';
import { http } from '#machines/http/index.ts';
import { httpMachine } from '#machines/http/machine.ts';
import type { DriverLogic } from '#machines/kit/placeholder.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** How long the web server may take to stop: its drain time and a margin. */
const STOP_MS: Milliseconds = 1000;

/**
 * The web server as a supervised worker. `listener` is the driver with the finished handler; `port` 0 takes any free
 * port.
 */
export const httpSpec = (deps: {
  readonly listener: DriverLogic<HttpEvent, { readonly port: number }, HttpFact>;
  readonly port: number;
}): Part =>
  part(http, httpMachine.provide({ actors: { listener: deps.listener } }), {
    input: () => ({ port: deps.port }),
    stop: { event: { type: 'http.stop' }, withinMs: STOP_MS },
  });
