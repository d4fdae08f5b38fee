import { expect, test } from 'vitest';
import { shortenMiddle } from './shorten.ts';

test('a long text keeps both of its ends', () => {
  expect(shortenMiddle('TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 11)).toBe('TQn9Y…cbLSE');
  expect(shortenMiddle('short', 11)).toBe('short');
});
