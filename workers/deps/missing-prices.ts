import type { Logger } from 'pino'
import { isUsageBilled, type Config } from '../../config.ts'
import type { ModelPort } from '../../providers/model/index.ts'

type PriceDeps = { config: Config; models: Pick<ModelPort, 'describe'>; log: Pick<Logger, 'warn'> }

/** Warns about models in the settings that have no price, if the deployment takes payments. */
export async function warnOfMissingPrices({ config, models, log }: PriceDeps): Promise<void> {
  if (!isUsageBilled(config)) return
  for (const modelId of new Set([config.defaultModel, config.SUBAGENT_MODEL ?? config.defaultModel]))
    if ((await models.describe(modelId)).prices === undefined)
      log.warn(
        { modelId },
        'a model has no price: a turn whose cost the model does not report is charged one credit; set MODEL_PRICES',
      )
}
