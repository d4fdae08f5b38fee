import type { z } from 'zod';
import { groups } from '../../../contract/api.ts';
import { type UploadedFile, uploadedFile } from '../../../contract/content/file.ts';
import type { Call } from '../../../contract/kit/call.ts';
import { type Api, ApiFailure, headersOf, questionOf, readToken, settle, unreachable } from './request.ts';

export { ApiFailure, type Endpoint, newRequestId } from './request.ts';

// The mapped type above is what this loop builds; TypeScript cannot follow a group's name to its calls through Object.entries.
export const api = Object.fromEntries(
  Object.entries(groups).map(([name, group]) => [
    name,
    Object.fromEntries(
      Object.entries(group.calls as Record<string, Call>).map(([action, call]) => [
        action,
        Object.assign(questionOf(name, action, call), { call }),
      ]),
    ),
  ]),
) as unknown as Api;

type UploadOptions = { onProgress?: (share: number) => void; signal?: AbortSignal };

/** Uploads one picture. `onProgress` gets the share sent, 0–1. */
export const uploadFile = (file: Blob, options?: UploadOptions): Promise<UploadedFile> =>
  uploadTo('/api/file/add', uploadedFile, file, options);

/** Uploads one file to a route that takes files, and reads its answer. */
export function uploadTo<T>(path: string, answer: z.ZodType<T>, file: Blob, { onProgress, signal }: UploadOptions = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const sentToken = readToken();
    request.open('POST', path);
    for (const [name, value] of Object.entries(headersOf(false))) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      try {
        resolve(answer.parse(settle(path, request.status, request.response, sentToken)));
      } catch (error) {
        reject(error instanceof ApiFailure ? error : new ApiFailure({ status: request.status, code: 'internal', message: '' }));
      }
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    const body = new FormData();
    body.append('file', file);
    request.send(body);
  });
}
