import { withoutComments } from './read-edges.ts';

/** Files in which a chunk of the program may begin. */
const places =
  /^(?:bin\/|routes\/(?:configure\.tsx|openapi\.ts|pages\.tsx|provisioning\.ts|sign-in\.tsx)|drivers\/[^/]+\/[^/]+\.ts)/;

/** The one way to write it: a constant of the module, or a field of one. */
const begun = /^(?:const \w+ =|  \w+:) chunk\(\(\) => import\('[^'\n]+'\)\)[;,]$/;

/** Each `import()` of a text that is not the beginning of a chunk where one may begin, as `line: why`. */
export function strayImports(file: string, text: string): readonly string[] {
  return withoutComments(text)
    .split('\n')
    .flatMap((line, index) => {
      if (!/(?<!typeof )(?<![\w.#])import\(/.test(line)) return [];
      // A type by `import()` is gone at run time; the layers look at it.
      if (/(?::|=|<) import\([^)]*\)\./.test(line) && !line.includes('await')) return [];
      const written = line.trimEnd();
      if (!begun.test(written)) return [`${index + 1}: not by the word chunk`];
      return places.test(file) ? [] : [`${index + 1}: not a place where a chunk begins`];
    });
}
