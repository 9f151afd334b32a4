import type { StatusDocument } from '#machines/status.ts';
import type { Section } from '#machines/status/compare.ts';
import { type Follower, type TakeStatus, notifyFollowers } from './followers.ts';
import { followStatus } from './status-stream.ts';

/**
 * How long a disconnect may last before the page says so, in milliseconds: a restarted server is back within one
 * second.
 */
const graceMs = 1_500;

const followers: Follower[] = [];
const linkHandlers = new Set<(live: boolean) => void>();

let latest: StatusDocument | undefined;
let live: boolean | undefined;
let graceTimer: number | undefined;

function setLive(value: boolean): void {
  window.clearTimeout(graceTimer);
  graceTimer = undefined;
  if (value === live) return;
  live = value;
  for (const handler of linkHandlers) handler(value);
}

/** Passes a status to the parts that read a changed section; to every part if `changed` is absent. */
export function take(status: StatusDocument, changed?: object): void {
  latest = status;
  notifyFollowers(followers, status, changed);
}

/** Passes the newest status again: parts being touched ignored it. */
export function takeAgain(): void {
  if (latest !== undefined) take(latest);
}

/** Follows the status, or some sections of it; a known status is delivered immediately. */
export function onStatus(handler: TakeStatus, reads?: readonly Section[]): void {
  followers.push([handler, reads]);
  if (latest !== undefined) handler(latest);
}

/** Follows whether the page is live. */
export function onLink(handler: (live: boolean) => void): void {
  linkHandlers.add(handler);
}

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
