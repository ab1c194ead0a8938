import { valhallaProfile } from '../../networks/valhalla-profile.ts';
import { buildTiles } from '../../valhalla/build-tiles.ts';
import { ValhallaError } from '../../valhalla/error.ts';
import { findNativePackage } from '../../valhalla/native-package.ts';
import { openValhalla } from '../../valhalla/open-valhalla.ts';
import { InstallFailure } from '../install-failure.ts';
import type { EngineBuilder } from './engine-builder.ts';

const mebibyte = 1024 * 1024;
/** As far as a stop may be from its road. */
const limitMetres = 1_000;

/** Tiles of Valhalla: `engine_a`. */
export const valhallaBuilder: EngineBuilder = {
  format() {
    try {
      return `valhalla ${findNativePackage().version}`;
    } catch (error) {
      throw asFailure(error);
    }
  },
  // Measured: Porto's 3.2 MB took 158 MB and made 17 MB of tiles, and as much again beside them while they were built.
  needs: (clipBytes) => ({ memoryBytes: 64 * mebibyte + 40 * clipBytes, diskBytes: 16 * mebibyte + 14 * clipBytes }),
  async build(pbf, directory, { memoryLimitBytes, onProgress }) {
    try {
      const { nodes, edges, bytes } = await buildTiles({ pbf, directory, memoryLimitMb: Math.floor(memoryLimitBytes / mebibyte), onProgress: ({ fraction, phase }) => onProgress(fraction, `Valhalla: ${phase}`) });
      return { nodes, edges, bytes };
    } catch (error) {
      throw asFailure(error);
    }
  },
  async open(directory) {
    try {
      const valhalla = openValhalla(directory, { threads: 1 });
      return {
        legs: async ({ user, points }) => (await valhalla.route(points.map(({ latitude, longitude }) => [longitude, latitude]), { profile: valhallaProfile(user), limitMetres })).legs.map((leg) => leg && { seconds: leg.seconds, metres: leg.metres }),
        close: () => valhalla.close(),
      };
    } catch (error) {
      throw asFailure(error);
    }
  },
};

const ofTheMap = ['bad_map', 'no_roads', 'unusable'];

function asFailure(error: unknown): unknown {
  return error instanceof ValhallaError ? new InstallFailure(ofTheMap.includes(error.code) ? 'validation' : 'unavailable', error.message, { cause: error }) : error;
}
