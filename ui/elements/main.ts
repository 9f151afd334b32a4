import { liveParts } from '../parts/live.tsx';
import { SconceCheck } from './check.ts';
import { startControls } from './controls.ts';
import { startCopy } from './copy.ts';
import { startPage } from './page.ts';
import { SconceScreen } from './screen-picture.ts';
import { SconceTry } from './try-it.ts';

startPage(() => {
  startCopy();
  startControls();
  customElements.define('sconce-try', SconceTry);
  customElements.define('sconce-check', SconceCheck);
  customElements.define('sconce-screen', SconceScreen);
}, liveParts);
