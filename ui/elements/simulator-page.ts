import { startPage } from './page.ts';
import { SconceSimulator } from './simulator.ts';

startPage(() => customElements.define('sconce-simulator', SconceSimulator));
