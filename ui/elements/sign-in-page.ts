import { startCopy } from './copy.ts';
import { startPage } from './page.ts';
import { SconceSignIn } from './sign-in.ts';

startPage(() => {
  startCopy();
  customElements.define('sconce-sign-in', SconceSignIn);
});
