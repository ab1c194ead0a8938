/** What an order without a place in a planning version looks like. */
export const unplanned = { planId: null, scheduledAt: null, vehicleId: null, driverId: null } as const;
