/** Removes every highlight from an element. */
export function unmark(root: HTMLElement): void {
  for (const marked of Array.from(root.querySelectorAll('mark'))) marked.replaceWith(marked.textContent ?? '');
  root.normalize();
}

function textsIn(root: HTMLElement): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) texts.push(node);
  return texts;
}

/** Highlights `words` (lower case) in an element's own text nodes. */
export function mark(root: HTMLElement, words: string): void {
  for (const text of textsIn(root)) {
    let rest = text;
    for (let at = rest.data.toLowerCase().indexOf(words); at >= 0; at = rest.data.toLowerCase().indexOf(words)) {
      const hit = rest.splitText(at);
      rest = hit.splitText(Math.min(words.length, hit.length));
      const box = document.createElement('mark');
      hit.replaceWith(box);
      box.append(hit);
    }
  }
}
