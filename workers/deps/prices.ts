import type { Logger } from 'pino'
import { takesMoney, type Config } from '../../config.ts'
import type { ModelPort } from '../../providers/model/index.ts'

type PriceDeps = { config: Config; models: Pick<ModelPort, 'describe'>; log: Pick<Logger, 'warn'> }

/** Warns of the models that this deployment chooses itself and cannot price, where somebody pays for them. */
export async function warnOfMissingPrices({ config, models, log }: PriceDeps): Promise<void> {
  if (!takesMoney(config)) return
  for (const modelId of new Set([config.defaultModel, config.SUBAGENT_MODEL ?? config.defaultModel]))
    if ((await models.describe(modelId)).prices === undefined)
      log.warn(
        { modelId },
        'no price is known of a model: what it does not report the cost of is charged one credit a turn; set MODEL_PRICES',
      )
}
