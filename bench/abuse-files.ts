import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Files that are small to send and large to read, made by zlib alone: what a hostile stranger uploads. */

type Entry = { name: string; content: string };

/** A zip archive of these texts. */
function zipOf(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain, { level: 9 });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(plain), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(plain.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, Buffer.from(name));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

type WorkbookShape = { rows?: number; columns?: number; characters?: number; attribute?: number };

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const typeOf = (part: string): string => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`;

/**
 * A workbook of some kB, with at most 26 columns, whose cells all share one long text: 99 million characters, of which the archive holds 30,000.
 * @param attribute characters of an attribute of its sheet, which a reader of markup takes long over
 */
export function hostileWorkbook({ rows = 330, columns = 10, characters = 30_000, attribute = 0 }: WorkbookShape = {}): Buffer {
  // References as spreadsheets write them.
  const cells = (at: number) =>
    Array.from({ length: columns }, (_, column) => `<c r="${String.fromCharCode(65 + column)}${at}" t="s"><v>0</v></c>`).join('');
  const lines = Array.from({ length: rows }, (_, index) => `<row r="${index + 1}">${cells(index + 1)}</row>`).join('');
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: `${xml}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${typeOf('worksheet')}"/><Override PartName="/xl/sharedStrings.xml" ContentType="${typeOf('sharedStrings')}"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${xml}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${xml}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${xml}<sst xmlns="${main}" count="1" uniqueCount="1"><si><t>${'x'.repeat(characters)}</t></si></sst>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `${xml}<worksheet xmlns="${main}" x="${'x'.repeat(attribute)}"><sheetData>${lines}</sheetData></worksheet>`,
    },
  ]);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const portionBytes = 8_000_000;

/** What zlib makes of so many zero bytes, without ever holding them: one portion, packed once and repeated. */
function packedZeros(bytes: number): Buffer {
  const flushed = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
  const portion = deflateRawSync(Buffer.alloc(portionBytes), flushed);
  const rest = deflateRawSync(Buffer.alloc(bytes % portionBytes), { level: 9 });
  const checksum = Buffer.alloc(4);
  // Adler-32 of zeros: the first sum stays 1, the second counts them.
  checksum.writeUInt16BE(bytes % 65_521, 0);
  checksum.writeUInt16BE(1, 2);
  const portions = Array.from({ length: Math.floor(bytes / portionBytes) }, () => portion);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...portions, rest, checksum]);
}

type PictureShape = { width?: number; height?: number; bits?: 8 | 16 };

/** A PNG of about 311 kB: 40 megapixels of four channels of 16 bit, which decode to 320 MB. */
export function hostilePicture({ width = 6324, height = 6324, bits = 16 }: PictureShape = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  header[9] = 6;
  const pixels = packedZeros((width * (bits / 2) + 1) * height);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))]);
}
