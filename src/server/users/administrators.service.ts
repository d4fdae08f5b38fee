import type { administrators } from '../../contract/people/administrators.ts';
import type { Service } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import { grantableRole, isAdministrating } from '../roles/roles.public.ts';
import { removalService } from './people.removal.ts';
import { lockPerson, refuseCustomers } from './people.rules.ts';
import { addPerson, changeUser, moveToRole, sharedCalls } from './people.writes.ts';
import { listPeople } from './users.list.ts';

export const administratorsService: Service<typeof administrators> = {
  ...sharedCalls('administrators'),
  ...removalService('administrators'),

  inquire: (input, context) => listPeople('administrators', input, context),

  async add({ account, password, encrypted, ...fields }, context) {
    refuseCustomers(context);
    const role = await grantableRole(context.db, context.actor, fields.role_id);
    if (!isAdministrating(role.kind)) throw invalidField('role_id', 'not_for_administrators');
    return addPerson('administrators', { account, password, encrypted }, fields, context);
  },

  async update({ id, role_id, ...profile }, context) {
    const user = await lockPerson('administrators', id, context);
    if (role_id === undefined || role_id === user.role_id) return changeUser(user, profile, context);
    const role = await grantableRole(context.db, context.actor, role_id);
    await moveToRole([user], role.id, context);
    return changeUser(user, { ...profile, role_id: role.id }, context);
  },
};
