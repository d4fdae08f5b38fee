/** What keeps the product from starting and the operator can mend: said in its own words, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
