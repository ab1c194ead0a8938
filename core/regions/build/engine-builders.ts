import type { Engine } from '../entity.ts';
import { builtInBuilder } from './built-in-builder.ts';
import type { EngineBuilder } from './engine-builder.ts';
import { valhallaBuilder } from './valhalla-builder.ts';

export const engineBuilders: Record<Engine, EngineBuilder> = { engine_a: valhallaBuilder, engine_b: builtInBuilder };
