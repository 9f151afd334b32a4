/** Parses whatever the server sends. */
export const read = async (url: string): Promise<unknown> => {
  const response = await fetch(url);
  return response.json(); // refused: json() of an answer
};
