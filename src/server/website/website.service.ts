import type { website } from '../../contract/system/website.ts';
import type { Service } from '../kit/calls/context.ts';
import { qrImageUrl } from '../kit/visits/visit-address.ts';
import { type KnownLanguages, offeredLanguages } from '../languages/languages.public.ts';

/** @param entryHost an entry domain of the platform, on which every code answers; the rest is told where it cannot be read */
export const websiteService = (
  languages: () => Promise<KnownLanguages>,
  entryHost: () => Promise<string | null>,
): Service<typeof website> => ({
  async info(_input, { settings, sealing }) {
    const { admin_title, admin_logo, color, maintenance, time_zone, default_language, visit_scheme, ...rest } = await settings();
    const { admin_register, admin_register_url, no_registration_hint, allow_invitation_code_edit, google_verification, socket_url } = rest;
    const { route_tabs, ping_seconds } = rest;
    return {
      id: 1,
      title: admin_title,
      icon: admin_logo,
      color,
      admin_title,
      admin_logo,
      admin_register,
      admin_register_url,
      no_registration_hint,
      allow_invitation_code_edit,
      google_verification,
      maintenance,
      time_zone,
      default_language,
      visit_scheme,
      qr_image_url: qrImageUrl('{key}', await entryHost().catch(() => null), visit_scheme),
      socket_url,
      route_tabs,
      ping_seconds,
      socket_public_key: sealing.public_key,
      languages: offeredLanguages(await languages()),
    };
  },
});
