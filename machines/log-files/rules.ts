import type { LogFileRules } from './events.ts';
import { batch, begin, fileBytes, isUrgent, retryMs, rotates, waitFor } from './rate-limit.ts';
import { endText, recall, startText } from './records.ts';

export const logFileRules: LogFileRules = {
  fileBytes,
  waitFor,
  isUrgent,
  rotates,
  retryMs,
  begin,
  batch,
  startText,
  endText,
  recall,
};
