/** A folder of a bucket that speaks S3. Its keys are those of the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY). */
export type BucketAddress = { bucket: string; prefix: string; endpoint?: string; region?: string; isPathStyle: boolean };

const known = new Set(['endpoint', 'region', 'path_style']);

export const isBucketAddress = (text: string): boolean => /^s3:\/\//i.test(text);

/**
 * Reads `s3://bucket/folder?endpoint=https://…&region=…&path_style=1`.
 * @returns null where it is none
 */
export function parseBucketAddress(text: string): BucketAddress | null {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) return null;
  if (url.username || url.password || url.port || url.hash || [...url.searchParams.keys()].some((key) => !known.has(key))) return null;
  const { endpoint, region, path_style = '0' } = Object.fromEntries(url.searchParams);
  if (!/^[01]$/.test(path_style) || (endpoint !== undefined && !/^https?:\/\/[^/?#]+\/?$/.test(endpoint))) return null;
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    isPathStyle: path_style === '1',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  };
}
