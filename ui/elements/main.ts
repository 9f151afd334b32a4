import { SconceCheck } from './check.ts';
import { startControls } from './controls.ts';
import { startCopy } from './copy.ts';
import { startPage } from './page.ts';
import { SconceScreen } from './screen-picture.ts';
import { SconceSecret } from './secret.ts';
import { SconceSettings } from './settings-form.ts';
import { SconceTry } from './try-it.ts';

startPage(() => {
  startCopy();
  startControls();
  customElements.define('sconce-try', SconceTry);
  customElements.define('sconce-check', SconceCheck);
  customElements.define('sconce-screen', SconceScreen);
  customElements.define('sconce-secret', SconceSecret);
  customElements.define('sconce-settings', SconceSettings);
});
