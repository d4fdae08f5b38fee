import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFileName } from './download.ts';

test('names in any language stay readable', () => {
  expect(safeFileName('春季海报 2026', 'png')).toBe('春季海报 2026.png');
  expect(safeFileName('Café – menü', 'svg')).toBe('Café menü.svg');
  expect(safeFileName('مطعم', 'pdf')).toBe('مطعم.pdf');
});

test('what a system would take amiss is replaced', () => {
  expect(safeFileName('../../etc/passwd', 'png')).toBe('etc passwd.png');
  expect(safeFileName('a<b>:"|?*\\c', 'png')).toBe('a b c.png');
  expect(safeFileName('con', 'png')).toBe('qr con.png');
  expect(safeFileName('   ', 'png')).toBe('qr.png');
  expect(safeFileName('...', 'png')).toBe('qr.png');
  expect(Buffer.byteLength(safeFileName('😀'.repeat(200), 'png'))).toBeLessThanOrEqual(255);
  expect(safeFileName('x\u202egnp.exe', 'png')).toBe('x gnp.exe.png');
});

test('every name is one that every system accepts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const safe = safeFileName(name, 'png');
      expect(safe).toMatch(/^[^. /\\:*?"<>|\p{Cc}\p{Cf}][^/\\:*?"<>|\p{Cc}\p{Cf}]*\.png$/u);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
      expect(safe.isWellFormed()).toBe(true);
    }),
  );
});
