import { logFileRules } from '#machines/log-files/rules.ts';
import { bootMark } from '#drivers/log/boot-mark.ts';
import { keepLog, type LogKeeper } from '#drivers/log/keeper.ts';
import type { Logger } from '#drivers/log/logger.ts';

/** Keeps the log of this run in its data folder; nothing is read or written before the agent starts its parts. */
export const keepLogIn = (folder: string, log: Logger): LogKeeper =>
  keepLog({ folder, tail: log.tail, rules: logFileRules, boot: bootMark(), now: Date.now });
