import { z } from 'zod';

/** A language's code, BCP 47: language, script where it matters, region: `zh-CN`, `sr-Latn-RS`, `ko`. */
export const languageCode = z
  .string()
  .max(12)
  .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'invalid_language_code');
