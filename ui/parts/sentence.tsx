/** A flag of the command line and the word behind it, which is its value or does no harm there. */
const flag = /(--[a-z][a-z-]*(?:[ =][a-z0-9]+)?)/;

/** A sentence of the panel as it is written, in which no words of a command are torn apart by the end of a line. */
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
