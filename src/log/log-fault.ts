/** What is wrong with the stored log, and what to do about it. */
export class LogFault extends Error {
  override readonly name = 'LogFault';
}
