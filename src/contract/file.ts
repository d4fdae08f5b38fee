import { z } from 'zod';
import { count, id } from './kit/fields.ts';

export const uploadedFile = z.object({ id, url: z.string(), width: count, height: count, size: count });
export type UploadedFile = z.infer<typeof uploadedFile>;
