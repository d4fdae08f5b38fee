import { z } from 'zod';
import { languages } from '../enums.ts';
import { call, group, publicAccess } from '../kit/call.ts';
import { offeredLanguage } from './language-list.ts';

export const websiteInfo = z.object({
  id: z.number(),
  title: z.string(),
  icon: z.string(),
  color: z.string(),
  admin_title: z.string(),
  admin_logo: z.string(),
  admin_register: z.boolean(),
  admin_register_url: z.string(),
  no_registration_hint: z.string(),
  allow_invitation_code_edit: z.boolean(),
  google_verification: z.boolean(),
  maintenance: z.boolean(),
  time_zone: z.string(),
  default_language: z.enum(languages),
  /** Those that are offered, in their order. Another `version` says that there are other texts (`language_list/texts`). */
  languages: z.array(offeredLanguage.pick({ code: true, base: true, title: true, version: true })),
  /** Where a visitor reaches a code on a registered entry domain: the scheme and the port of the visit path. */
  visit_scheme: z.enum(['http', 'https']),
  /**
   * The QR-image service: the address of a code's image, with `{key}` in the place of its file name; `.svg` instead of `.png`, `size` and
   * `margin` as parameters. Null while the platform has no entry domain.
   */
  qr_image_url: z.string().nullable(),
  /** Where the real-time socket is; empty: `/api/socket` of this host. */
  socket_url: z.string(),
  route_tabs: z.boolean(),
  ping_seconds: z.number(),
  /** X25519, base64url: what a browser seals to (`sealing.ts`). */
  socket_public_key: z.string(),
});
export type WebsiteInfo = z.infer<typeof websiteInfo>;

export const website = group('website', {
  info: call({
    summary: 'Title, logo, colour, languages and switches of the site.',
    access: publicAccess,
    input: z.object({}),
    output: websiteInfo,
    in_maintenance: true,
  }),
});
