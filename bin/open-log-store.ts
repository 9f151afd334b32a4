import { logFileRules } from '#machines/log-files/rules.ts';
import { bootMark } from '#drivers/log/boot-mark.ts';
import { openLogStore, type LogStore } from '#drivers/log/log-store.ts';
import type { Logger } from '#drivers/log/logger.ts';

/** Keeps the log of this run in its data folder; nothing is read or written before the agent starts its parts. */
export const openLogStoreIn = (folder: string, log: Logger): LogStore =>
  openLogStore({ folder, tail: log.tail, rules: logFileRules, boot: bootMark(), now: Date.now });
