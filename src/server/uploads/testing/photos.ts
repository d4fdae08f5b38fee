import { createCanvas } from '@napi-rs/canvas';

/** Where the corner that is to be seen top left lies on the sensor: at the right, below. */
const corners: Record<number, [boolean, boolean]> = {
  1: [false, false],
  2: [true, false],
  3: [true, true],
  4: [false, true],
  5: [false, false],
  6: [false, true],
  7: [true, true],
  8: [true, false],
};

/** A TIFF of one entry: the orientation. */
const exifOf = (orientation: number): Buffer => {
  const tiff = Buffer.from('49492a0008000000' + '0100' + '1201' + '0300' + '01000000' + '00000000' + '00000000', 'hex');
  tiff.writeUInt16LE(orientation, 18);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/**
 * A JPEG as a phone makes it: its sensor's pixels, and in EXIF how they were held. Its top left quarter is red as it is to be seen, the rest
 * white.
 * @param orientation 1 to 8, as EXIF numbers them; `width` and `height` are the sensor's
 */
export function photo({ width, height, orientation }: { width: number; height: number; orientation: number }): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#ff0000';
  const [isRight, isLow] = corners[orientation] ?? [false, false];
  context.fillRect(isRight ? width / 2 : 0, isLow ? height / 2 : 0, width / 2, height / 2);
  const jpeg = canvas.toBuffer('image/jpeg', 80);
  return Buffer.concat([jpeg.subarray(0, 2), exifOf(orientation), jpeg.subarray(2)]);
}
