/** A command-line flag and the next word, which is its value or harmless there. */
const flag = /(--[a-z][a-z-]*(?:[ =][a-z0-9]+)?)/;

/** A sentence of the panel in which line breaks never split a command's flag from its value. */
export const Sentence = ({ text }: { readonly text: string }) => (
  <>
    {text.split(flag).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <span key={index} class="flag">
          {part}
        </span>
      ),
    )}
  </>
);
