import { startPage } from './page.ts';
import { SconceProximity } from './proximity.ts';

startPage(() => customElements.define('sconce-proximity', SconceProximity));
