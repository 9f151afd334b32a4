import { SconceInspector } from './inspector.ts';
import { startPage } from './page.ts';

startPage(() => customElements.define('sconce-inspector', SconceInspector));
