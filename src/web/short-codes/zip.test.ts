import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { zipFiles } from './zip.ts';

const file = (name: string, text: string, type = 'image/svg+xml') => ({ name, blob: new Blob([text], { type }) });

test('files of one name are told apart, and every one comes out as it went in', async () => {
  const packed = await zipFiles([
    file('a.svg', '<svg>1</svg>'),
    file('a.svg', '<svg>2</svg>'),
    file('a.svg', '3'),
    file('短链.png', 'x', 'image/png'),
  ]);
  const files = unzipSync(new Uint8Array(await packed.arrayBuffer()));
  expect(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))).toEqual({
    'a.svg': '<svg>1</svg>',
    'a 2.svg': '<svg>2</svg>',
    'a 3.svg': '3',
    '短链.png': 'x',
  });
});
