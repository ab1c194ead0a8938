import type { Engine } from '../entity.ts';
import { unavailableMap } from '../install-failure.ts';
import type { EngineBuilder } from './engine-builder.ts';
import { valhallaBuilder } from './valhalla-builder.ts';

const refuse = async (): Promise<never> => {
  throw unavailableMap('The built-in engine can not be built for regions yet: choose engine_a in the settings.');
};

export const engineBuilders: Record<Engine, EngineBuilder> = {
  engine_a: valhallaBuilder,
  engine_b: { format: () => '', needs: () => ({ memoryBytes: 0, diskBytes: 0 }), build: refuse, open: refuse },
};
