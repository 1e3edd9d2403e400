/** A fragment, such as the text of an error, as a sentence. A first word that is a name, as p_success, stays as it is. */
export function asSentence(text: string): string {
  const sentence = text.replace(/^[a-z](?=[a-z]*(?:[,;:]?\s|\.?$))/, (first) => first.toUpperCase());
  return /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}
