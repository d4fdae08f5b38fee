import { z } from 'zod';
import { carriers } from '../enums.ts';
import { day, line } from '../kit/fields.ts';

export const maximumRules = 20;
/** Operating systems that a rule can name, as a visit's `system` has them, lower case. */
export const ruleSystems = ['android', 'ios', 'harmonyos', 'windows', 'macos', 'linux', 'other'] as const;
export type RuleSystem = (typeof ruleSystems)[number];

const words = z.array(line(64).min(1)).min(1).max(100);

/**
 * One rule of a target: every condition that is given must hold, and at least one is given. Hours (0–23), weekdays (1 Monday – 7 Sunday) and days are
 * those of the site's time zone. A place is a country as visits record it (`中国`), or a Chinese province (`浙江`).
 */
export const targetRule = z
  .strictObject({
    countries: words.optional(),
    regions: words.optional(),
    carriers: z.array(z.enum(carriers)).min(1).max(carriers.length).optional(),
    systems: z.array(z.enum(ruleSystems)).min(1).max(ruleSystems.length).optional(),
    /** In the messenger's in-app browser, or not there. */
    messenger: z.boolean().optional(),
    /** Language tags or their beginnings (`zh`, `zh-TW`), of the visitor's first choice. */
    languages: z
      .array(
        z
          .string()
          .trim()
          .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'invalid_format')
          .max(64),
      )
      .min(1)
      .max(50)
      .optional(),
    hours: z.array(z.number().int().min(0).max(23)).min(1).max(24).optional(),
    weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7).optional(),
    /** Both days included. */
    from: day.optional(),
    to: day.optional(),
  })
  .refine((rule) => Object.values(rule).some((value) => value !== undefined), 'required')
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, { path: ['to'], message: 'before_start' });
export type TargetRule = z.infer<typeof targetRule>;

/** A target with rules serves the visitors whom one of them fits; null serves everybody. */
export const targetRules = z.array(targetRule).min(1).max(maximumRules).nullable();
