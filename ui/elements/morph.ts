import { suitPlace } from './panel-buttons.ts';

/** Inputs being touched, each with its release timer: until it fires, the input keeps the user's value. */
const held = new Map<Element, number>();

/** How long after the last touch a slider keeps the user's value, in milliseconds: one hardware poll plus the echo. */
const holdMs = 1_500;

let letGo = (): void => {};

/** Sets the handler called once an input is released; it was not redrawn while held. */
export function whenLetGo(handler: () => void): void {
  letGo = handler;
}

/** Marks `element` as touched now. */
export function hold(element: Element): void {
  window.clearTimeout(held.get(element));
  const release = (): void => {
    held.delete(element);
    letGo();
  };
  held.set(element, window.setTimeout(release, holdMs));
}

/** Releases `element` immediately, because its request was refused. */
export function letGoOf(element: Element): void {
  window.clearTimeout(held.get(element));
  held.delete(element);
}

const isHeld = (element: Element): boolean => held.has(element);

const ownedAttributes: Readonly<Record<string, readonly string[]>> = { DETAILS: ['open'], DIALOG: ['open'] };

function morphAttributes(from: Element, to: Element): void {
  const owned = ownedAttributes[from.tagName] ?? [];
  for (const { name, value } of Array.from(to.attributes)) {
    if (!owned.includes(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of Array.from(from.attributes)) {
    if (!owned.includes(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement && from.value !== to.value)
    from.value = to.value;
}

function same(a: Node, b: Node): boolean {
  if (a.nodeType !== b.nodeType) return false;
  if (!(a instanceof Element) || !(b instanceof Element)) return true;
  return a.tagName === b.tagName && a.id === b.id;
}

function morphNode(from: Node, to: Node): void {
  if (!(from instanceof Element) || !(to instanceof Element)) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  // These elements manage their own content; held ones are being touched.
  if (from.matches('[data-keep],[data-note]') || isHeld(from)) return;
  const holder = from.getAttribute('data-of');
  const input = holder === null ? null : document.getElementById(holder);
  if (input !== null && isHeld(input)) return;
  morphAttributes(from, to);
  morph(from, to);
}

/**
 * Makes the children of `target` match those of `wanted`, keeping every node that can stay (focus, open folds,
 * values).
 */
function morph(target: Element, wanted: Element | DocumentFragment): void {
  const olds = Array.from(target.childNodes);
  const replacements = Array.from(wanted.childNodes);
  replacements.forEach((fresh, index) => {
    const old = olds[index];
    if (old === undefined) target.appendChild(fresh);
    else if (same(old, fresh)) morphNode(old, fresh);
    else target.replaceChild(fresh, old);
  });
  for (const old of olds.slice(replacements.length)) old.remove();
}

/** Enables the controls that are served disabled because they need scripts. */
export function enable(root: ParentNode): void {
  for (const control of Array.from(
    root.querySelectorAll(
      '[data-act],[data-ask],[data-slide],[data-colour],[data-sim],[data-px],sconce-try button,sconce-check button,sconce-screen button,sconce-camera button,sconce-storage button,sconce-updates button,[data-show],[data-voice],[data-voice-set]',
    ),
  )) {
    control.removeAttribute('disabled');
  }
  suitPlace(root);
}

/** Redraws `target` from markup made by the page's own components. */
export function redraw(target: Element, markup: string): void {
  const template = document.createElement('template');
  template.innerHTML = markup;
  enable(template.content);
  morph(target, template.content);
}
