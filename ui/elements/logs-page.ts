import { startCopy } from './copy.ts';
import { SconceLogs } from './logs.ts';
import { startPage } from './page.ts';

startPage(() => {
  startCopy();
  customElements.define('sconce-logs', SconceLogs);
});
