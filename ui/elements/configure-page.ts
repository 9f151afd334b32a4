import { settingsParts } from '../parts/settings-parts.tsx';
import { shellParts } from '../parts/shell-parts.tsx';
import { startCopy } from './copy.ts';
import { startPage } from './page.ts';
import { SconceSecret } from './secret.ts';
import { SconceSettings } from './settings-form.ts';

startPage(
  () => {
    startCopy();
    customElements.define('sconce-secret', SconceSecret);
    customElements.define('sconce-settings', SconceSettings);
  },
  new Map(Object.entries({ ...shellParts, ...settingsParts })),
);
