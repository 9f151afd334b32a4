import { startPage } from './page.ts';
import { SconceProfiles } from './profiles.ts';

startPage(() => customElements.define('sconce-profiles', SconceProfiles));
