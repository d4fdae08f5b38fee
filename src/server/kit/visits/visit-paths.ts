import { join } from 'node:path';

/** First path segments of the visit path that are its own: no live code can have them as its file name. */
export const reservedFileNames: readonly string[] = ['healthz', 'readyz', 'metrics'];

/** Where the visit path draws the QR images of codes: `{key}.png` or `{key}.svg` follows. */
export const qrImagePrefix = '/qr/';

/** Where the visit path serves an uploaded picture; the back office writes it to the folder below. */
export const visitPicturePath = (name: string): string => `/~file/${name}`;

/** Where a picture's page tells that it was pressed; its token follows. */
export const visitPressPath = '/~press/';

/** The query of a code's address that asks for its report page; no link of an operator has it. */
export const reportQuery = '~report';

export const uploadsFolder = (dataDir: string): string => join(dataDir, 'uploads');
