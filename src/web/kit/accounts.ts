import { api } from './calls/api.ts';
import { remoteOptions } from './options.ts';

/** Users to choose from, by their accounts. */
export const accountOptions = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (user) => ({ value: user.id, label: user.account }),
);
