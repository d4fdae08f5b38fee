/** A reporter of Vitest: what passed only when it was tried again says why it failed at first. */
export default class {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state !== 'passed' || !test.diagnostic()?.retryCount) return;
    for (const { stack, message, diff } of errors)
      console.log(`\n"${test.fullName}" failed when it was tried first: ${stack ?? message}${diff ? `\n${diff}` : ''}\n`);
  }
}
