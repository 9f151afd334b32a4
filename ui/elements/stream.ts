import type { StatusDocument } from '#machines/status.ts';
import { followStatus } from './status-stream.ts';

type Handler<T> = (value: T) => void;

/** How long a cut may last before the page says so, in milliseconds: a restarted server is back within one second. */
const graceMs = 1_500;

const statusHandlers = new Set<Handler<StatusDocument>>();
const linkHandlers = new Set<Handler<boolean>>();

let latest: StatusDocument | undefined;
let live: boolean | undefined;
let graceTimer: number | undefined;

const setLive = (value: boolean): void => {
  window.clearTimeout(graceTimer);
  graceTimer = undefined;
  if (value === live) return;
  live = value;
  for (const handler of linkHandlers) handler(value);
};

/** Hands a status to every part of the page, wherever it came from. */
export const take = (status: StatusDocument): void => {
  latest = status;
  for (const handler of statusHandlers) handler(status);
};

/** Hands out the newest status once more: parts that were held by a finger did not take it. */
export const takeAgain = (): void => {
  if (latest !== undefined) take(latest);
};

/** Follows the status; a status that is already known comes at once. */
export const onStatus = (handler: Handler<StatusDocument>): void => {
  statusHandlers.add(handler);
  if (latest !== undefined) handler(latest);
};

/** Follows whether the page is live. */
export const onLink = (handler: Handler<boolean>): void => {
  linkHandlers.add(handler);
};

/** The newest status of the stream; undefined before the first. */
export const latestStatus = (): StatusDocument | undefined => latest;

/** Opens the one stream of this page. */
export const startStream = (): void =>
  followStatus({
    take,
    opened: () => setLive(true),
    cut: () => {
      graceTimer ??= window.setTimeout(() => setLive(false), graceMs);
    },
  });
