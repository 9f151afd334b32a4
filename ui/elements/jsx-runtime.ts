// The browser draws the same components as the server, to markup only: no hooks, no context, no events in markup. This
// replaces hono's runtime there at a tenth of its size.

/** Markup that is already escaped. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Types for the compiler. Attributes are checked where the server's configuration compiles the same files. */
export declare namespace JSX {
  type Element = Markup;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string | number;
  }
  interface IntrinsicElements {
    [tag: string]: Readonly<Record<string, unknown>>;
  }
}

/** The text of a child in markup; "" for anything that is not drawn. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => unknown;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

const empty = new Set(['br', 'col', 'hr', 'img', 'input', 'link', 'meta']);

/** Attributes that are present or absent; every other boolean is written as a word. */
const flags = new Set(['checked', 'disabled', 'hidden', 'multiple', 'open', 'readonly', 'required', 'selected']);

function children(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  if (Array.isArray(value)) return value.map(children).join('');
  return value instanceof Markup ? value.toString() : escape(textOf(value));
}

function attribute(name: string, value: unknown): string {
  if (name === 'children' || name === 'key' || value === null || value === undefined) return '';
  if (typeof value === 'boolean' && flags.has(name)) return value ? ` ${name}=""` : '';
  return ` ${name}="${escape(textOf(value))}"`;
}

/** Groups children without an element. */
export const Fragment = (props: Props): Markup => new Markup(children(props['children']));

/** One element or component as markup: what the build writes for JSX, with children as arguments, which is shorter. */
export function h(tag: string | Component, attributes: Props | null, ...inside: readonly unknown[]): Markup {
  const props =
    inside.length === 0 ? { ...attributes } : { ...attributes, children: inside.length > 1 ? inside : inside[0] };
  if (typeof tag === 'function') return new Markup(children(tag(props)));
  const written = Object.entries(props)
    .map(([name, value]) => attribute(name, value))
    .join('');
  return new Markup(empty.has(tag) ? `<${tag}${written}>` : `<${tag}${written}>${children(inside)}</${tag}>`);
}
