import { languageNames, languages } from '../../contract/enums.ts';
import type { website } from '../../contract/website.ts';
import type { Service } from '../kit/context.ts';

export const websiteService: Service<typeof website> = {
  async info(_input, { settings }) {
    const { admin_title, admin_logo, admin_register, color, maintenance, time_zone, default_language, visit_scheme } = await settings();
    return {
      id: 1,
      title: admin_title,
      icon: admin_logo,
      color,
      admin_title,
      admin_logo,
      admin_register,
      maintenance,
      time_zone,
      default_language,
      visit_scheme,
      languages: languages.map((code) => ({ code, title: languageNames[code] })),
    };
  },
};
