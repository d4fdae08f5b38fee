import { designLimits } from '../../../qr/design.ts';
import { fileNameOf } from '../requests.ts';
import { type ImageFormat, imageFormats } from './images.program.ts';

/** Which image a request asks for. */
export interface AskedImage {
  /** Empty where there can be no code of this name. */
  file_name: string;
  format: ImageFormat;
  /** Undefined: the design's own. */
  size: number | undefined;
  margin: number | undefined;
}

/** What is wrong with a parameter, in words for who built the address. */
export interface ParameterFault {
  fault: string;
}

const imagePath = /^\/qr\/([^/?]+)\.([a-z]+)(?:\?(.*))?$/;

/** Undefined where the address is none of an image. Parameters that it doesn't know are left alone, as those that only renew a picture. */
export function readAskedImage(url: string): AskedImage | ParameterFault | undefined {
  const [, key = '', ending, query = ''] = imagePath.exec(url) ?? [];
  const format = imageFormats.find((known) => known === ending);
  if (format === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const fault = faultOf(parameters, 'size') ?? faultOf(parameters, 'margin');
  if (fault !== undefined) return { fault };
  return { file_name: fileNameOf(`/${key}`), format, size: numberOf(parameters, 'size'), margin: numberOf(parameters, 'margin') };
}

type Parameter = 'size' | 'margin';

const numberOf = (parameters: URLSearchParams, name: Parameter): number | undefined => {
  const text = parameters.get(name);
  return text === null ? undefined : Number(text);
};

function faultOf(parameters: URLSearchParams, name: Parameter): string | undefined {
  const given = parameters.getAll(name);
  const { min, max } = designLimits[name];
  const isFit = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
  if (given.length === 0 || (given.length === 1 && given.every(isFit))) return undefined;
  return `${name} is a whole number from ${min} to ${max}, given once`;
}
