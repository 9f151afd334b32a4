import { SconceCheck } from './check.ts';
import { startControls } from './controls.ts';
import { startCopy } from './copy.ts';
import { markFlexGap } from './flex-gap.ts';
import { SconceLink, SconceLive, startMoments } from './live.ts';
import { enliven } from './morph.ts';
import { SconceSecret } from './secret.ts';
import { SconceSettings } from './settings-form.ts';
import { SconceSimulator } from './simulator.ts';
import { startStream } from './stream.ts';
import { applyTheme, startTheme } from './theme.ts';
import { SconceTry } from './try-it.ts';

// The script stands in the head so that a pinned theme is there before the first paint; the rest waits for the page.
applyTheme();

document.addEventListener('DOMContentLoaded', () => {
  markFlexGap();
  enliven(document);
  startTheme();
  startMoments();
  startCopy();
  startControls();
  customElements.define('sconce-live', SconceLive);
  customElements.define('sconce-link', SconceLink);
  customElements.define('sconce-try', SconceTry);
  customElements.define('sconce-check', SconceCheck);
  customElements.define('sconce-secret', SconceSecret);
  customElements.define('sconce-settings', SconceSettings);
  customElements.define('sconce-simulator', SconceSimulator);
  startStream();
});
