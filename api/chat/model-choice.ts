import { z } from 'zod'
import type { Config } from '../../config.ts'
import { patterns, trimmedText } from '../../domain/fields/fields.ts'

/** Schema of a model id that this deployment offers. */
export function modelChoice({ modelAllowList: allowed }: Config) {
  return trimmedText(1, 200)
    .refine((model) => !/\p{Cc}/u.test(model), { error: 'must not contain control characters' })
    .refine((model) => allowed === undefined || allowed.includes(model), {
      error: 'must be one of the models that GET /api/ai/models returns',
    })
    .meta({ minLength: 1, maxLength: 200, pattern: patterns.filledPlain })
}

/** Like `modelChoice`, with an empty value for the default model. */
export function optionalModelChoice(config: Config) {
  return z
    .union([
      z
        .string()
        .trim()
        .length(0)
        .transform(() => undefined),
      modelChoice(config),
    ])
    .optional()
}
