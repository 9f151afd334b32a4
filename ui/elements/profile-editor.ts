import { SconceProfileDraft } from './profile-draft.ts';
import { SconceYaml } from './yaml-editor.ts';

// Loaded when something is first written: whoever only looks pays nothing for an editor.
customElements.define('sconce-yaml', SconceYaml);
customElements.define('sconce-profile-draft', SconceProfileDraft);
