import { instant, presentCommon } from '../records/present.ts';
import type { DriverAction } from './entity.ts';

export const presentAction = (action: DriverAction) => ({
  ...presentCommon(action),
  driver_id: action.driverId,
  order_id: action.orderId ?? null,
  kind: action.kind,
  at: instant(action.at),
  reason: action.reason ?? null,
  action_id: action.actionId ?? null,
});
