/** Inputs that a hand is on right now, each with the timer that lets it go: until then its value is the hand's. */
const held = new Map<Element, number>();

/**
 * How long after the last touch a slider still belongs to the hand, in milliseconds: one poll of the hardware and an
 * echo.
 */
const holdMs = 1_500;

let letGo = (): void => {};

/** Names what is done once a hand has left an input, which was not drawn again meanwhile. */
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

/** Lets go of `element` at once: what a hand wanted of it was refused. */
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
  // What is kept has a life of its own in the browser; what is held is under a finger.
  if (from.hasAttribute('data-keep') || isHeld(from)) return;
  const holder = from.getAttribute('data-of');
  const input = holder === null ? null : document.getElementById(holder);
  if (input !== null && isHeld(input)) return;
  morphAttributes(from, to);
  morph(from, to);
}

/**
 * Makes the children of `target` like those of `wanted`, keeping every node that can stay (focus, open folds, values).
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

/** What works only with scripts arrives disabled; this enables it. */
export function enable(root: ParentNode): void {
  for (const control of Array.from(
    root.querySelectorAll(
      '[data-act],[data-ask],[data-slide],[data-colour],[data-sim],[data-px],sconce-try button,sconce-check button,sconce-screen button,sconce-storage button',
    ),
  )) {
    control.removeAttribute('disabled');
  }
}

/** Redraws `target` from markup made by the page's own components. */
export function redraw(target: Element, markup: string): void {
  const template = document.createElement('template');
  template.innerHTML = markup;
  enable(template.content);
  morph(target, template.content);
}
