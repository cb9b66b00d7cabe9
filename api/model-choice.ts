import { z } from 'zod'
import type { Config } from '../config.ts'
import { trimmedText } from '../domain/fields.ts'

/** A model id that this deployment offers. */
export const modelChoice = ({ modelAllowList: allowed }: Config) =>
  trimmedText(1, 200)
    .regex(/^\P{Cc}*$/u)
    .refine((model) => allowed === undefined || allowed.includes(model), { error: 'this model is not offered' })

/** The same, where blank means the default model. */
export const optionalModelChoice = (config: Config) =>
  z
    .union([
      z
        .string()
        .trim()
        .length(0)
        .transform(() => undefined),
      modelChoice(config),
    ])
    .optional()
