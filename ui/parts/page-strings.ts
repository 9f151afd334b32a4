import { eachCard } from '../cards.ts';
import { catalogue } from '#ui/strings/catalogue.ts';
import type { Card } from './card.ts';
import type { PageName } from '../page-table.ts';

const familiesOf = (card: Card): readonly string[] =>
  card.strings ?? ('title' in card ? [card.title.split('.')[0] ?? ''] : []);

/** What stands around the live part of a card is drawn by the server alone. */
const aroundCards: ReadonlySet<string> = new Set(
  eachCard.flatMap((card: Card) => ('title' in card ? [card.title] : [])),
);

/** Families of strings that only the server or one other page draws; everything else goes to the browser. */
const serverFamilies = ['missing', 'nav', 'page', 'more', 'snippets', 'sign', 'glass', 'happened', 'product', 'words'];
const pageFamilies: Readonly<Record<string, readonly PageName[]>> = {
  ...Object.fromEntries(eachCard.flatMap((card) => familiesOf(card).map((family) => [family, ['status'] as const]))),
  links: ['status', 'configure'],
  form: ['configure', 'setup'],
  storage: ['configure'],
  setup: ['setup'],
  sim: ['simulator'],
  proximity: ['proximity'],
  reset: ['reset'],
  entities: ['entities'],
  api: ['api'],
  profiles: ['profiles'],
  logs: ['logs'],
  signing: ['sign-in', 'setup'],
  inspector: ['inspector'],
  drawing: ['status', 'simulator'],
  tree: ['inspector', 'parts'],
  part: ['parts', 'inspector'],
  shot: ['status'],
  history: ['status', 'history'],
};

/** Keys of the links that the card of the page `/` alone draws in the browser. */
const cardKeys = /^links\.(?:home_assistant|entities|due|refused)$/;

/** Names of the steps, of which the next one stands on the page `/`. */
const stepNames = /^setup\.title\./;

/** Keys of a family that goes to the browser which only the server draws. */
const serverKeys =
  /^(?:capabilities\.check|engine\.title|tree\.title|controls\.(?:cancel|by\..*|reboot_(?:title|text|simulated|yes))|history\.(?:intro|removed.*|about\..*|filter|nothing|newer|older|pages|today|yesterday|often|shown_there|more_settings)|shell\.(?:skip|other_profile|other_profile_load|not_live_help|simulated|simulated_help|no_script|footer)|inspector\.(?:key|legend(?:\..*)?)|form\.(?:group\..*|option\..*|intro|find|show_all|example|advanced|sections|restart|secret_clear|secret_old_.*|secret_show|exposed|not_exposed|expose_label|readings|readings_help|save|discard|bar|broker|empty)|storage\.(?:title|help|clear|question|goes|stays|loads|yes)|entities\.(?:paging|page|previous|next|list|search|show|bar|learning|issues_more|filter(?:\..*)?|decide\..*))$/;

/** Keys of a family that pages of others use too. */
const shared: readonly string[] = [
  'controls.failed',
  'controls.on',
  'controls.off',
  'capabilities.checking',
  'capabilities.checked',
];

/** The strings that `page` draws in the browser, as JSON that can stand in a script element. */
export const stringsOf = (page: PageName): string => {
  const wanted = Object.entries(catalogue).filter(([key]) => {
    const family = key.split('.')[0] ?? '';
    const owners = pageFamilies[family];
    return (
      !serverFamilies.includes(family) &&
      !serverKeys.test(key) &&
      !aroundCards.has(key) &&
      (page === 'status' || !cardKeys.test(key)) &&
      (owners === undefined ||
        (page === 'status' && stepNames.test(key)) ||
        owners.includes(page) ||
        shared.includes(key))
    );
  });
  // Inside a script element only this character could end it.
  return JSON.stringify(Object.fromEntries(wanted)).replace(/</g, '\\u003c');
};
