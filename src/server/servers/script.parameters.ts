import { parameterFault, type ScriptParameter } from '../../contract/system/script.ts';
import { AppError } from '../kit/calls/errors.ts';

/** The choices and the first value have to fit each other, and no two parameters one name. */
export function checkParameters(parameters: readonly ScriptParameter[]): void {
  const fields: Record<string, string> = {};
  for (const [index, parameter] of parameters.entries()) {
    const path = `parameters.${index}`;
    if (parameters.findIndex(({ name }) => name === parameter.name) < index) fields[`${path}.name`] = 'taken';
    if (parameter.type === 'choice' && parameter.choices.length === 0) fields[`${path}.choices`] = 'required';
    const fault = parameterFault({ ...parameter, required: false }, parameter.initial);
    if (parameter.type === 'secret' && parameter.initial !== '') fields[`${path}.initial`] = 'secret_initial';
    if (fault) fields[`${path}.initial`] = fault;
  }
  if (Object.keys(fields).length > 0) throw new AppError(400, 'input.invalid', { fields });
}

/** What the script finds in its environment: each parameter by its name, with what was given or else its first value. */
export function environmentOf(parameters: readonly ScriptParameter[], values: Readonly<Record<string, string>>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of Object.keys(values))
    if (!parameters.some((parameter) => parameter.name === name)) fields[`values.${name}`] = 'invalid';
  const entries = parameters.map((parameter) => {
    const given = (Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined) ?? parameter.initial;
    const fault = parameterFault(parameter, given);
    if (fault) fields[`values.${parameter.name}`] = fault;
    return [parameter.name, given] as const;
  });
  if (Object.keys(fields).length > 0) throw new AppError(400, 'input.invalid', { fields });
  return Object.fromEntries(entries);
}
