/**
 * What Valhalla 3.6.1 is told: its own `valhalla_build_config` writes this with Python, which is not needed here. Where a value is not
 * Valhalla's default, a comment says why. Keys that it can do without are left out; those that look useless are ones it refuses to
 * start without, or rather answers every query with "No such node".
 */
export function valhallaConfig({ tiles, logs }: { tiles: string; logs: boolean }): object {
  const silent = { type: '' };
  return {
    mjolnir: {
      tile_dir: tiles,
      // Named, and empty: the defaults are places in /data where somebody's other tiles may lie.
      tile_extract: '', traffic_extract: '', admin: '', timezone: '', landmarks: '', transit_dir: '', transit_feeds_dir: '',
      hierarchy: true, shortcuts: true, reclassify_links: true,
      include_driving: true, include_driveways: true, include_construction: false, include_platforms: false,
      // Nobody walks or cycles here, but crossings with footpaths and cycleways cost vehicles time.
      include_bicycle: true, include_pedestrian: true,
      keep_all_osm_node_ids: false, keep_osm_node_ids: false, import_bike_share_stations: false,
      id_table_size: 1_300_000_000,
      // For each thread that answers. Valhalla's default is a gigabyte.
      max_cache_size: 512 * 1024 * 1024,
      data_processing: {
        allow_alt_name: false, apply_country_overrides: true, grid_divisions_within_tile: 32, infer_internal_intersections: true,
        infer_turn_channels: true, scan_tar: false,
        // Without such a database too: `false` makes turns cost what they cost where nothing is known of the country, and Malta's times differ.
        use_admin_db: true,
        use_direction_on_ways: false, use_rest_area: false, use_urban_tag: false,
      },
      logging: logs ? { type: 'std_out', color: false } : silent,
    },
    loki: {
      actions: ['locate', 'route', 'sources_to_targets', 'status'],
      use_connectivity: true,
      service_defaults: {
        heading_tolerance: 60, minimum_reachability: 50, node_snap_tolerance: 5, radius: 0, search_cutoff: 35_000,
        street_side_max_distance: 1000, street_side_tolerance: 5,
      },
      logging: silent,
    },
    thor: {
      // One search for each source. The other algorithm calls a quarter of Malta's pairs unreachable, where a ferry is on the way.
      source_to_target_algorithm: 'timedistancematrix',
      costmatrix: { allow_second_pass: true },
      logging: silent,
    },
    odin: { logging: silent },
    meili: {
      mode: 'auto', customizable: [], verbose: false, grid: { size: 500, cache_size: 100_240 },
      default: {
        beta: 3, breakage_distance: 2000, geometry: false, gps_accuracy: 5, interpolation_distance: 10, max_route_distance_factor: 5,
        max_route_time_factor: 5, max_search_radius: 100, route: true, search_radius: 50, sigma_z: 4.07, turn_penalty_factor: 0,
      },
      logging: silent,
    },
    service_limits: SERVICE_LIMITS,
  };
}

/** How many points go into one request at most; the limits below leave room for as many sources and as many targets. */
export const POINTS_MAX = 10_000;

const driving = {
  max_distance: 5_000_000,
  max_locations: 2 * POINTS_MAX,
  max_matrix_location_pairs: POINTS_MAX * POINTS_MAX,
  // It also ends each search, at this divided by 112 in seconds of cost: a day's drive, where the default is an hour's.
  max_matrix_distance: 10_000_000,
};
/** Read at the start whether anybody asks for them or not. */
const unused = { max_distance: 0, max_locations: 2, max_matrix_distance: 0, max_matrix_location_pairs: 0 };

const SERVICE_LIMITS = {
  auto: driving, truck: driving,
  bicycle: unused, bikeshare: unused, bus: unused, motor_scooter: unused, motorcycle: unused, taxi: unused, transit: unused, multimodal: unused,
  pedestrian: { ...unused, max_transit_walking_distance: 0, min_transit_walking_distance: 0 },
  centroid: { max_distance: 0, max_locations: 2 },
  isochrone: { max_contours: 1, max_distance: 0, max_distance_contour: 1, max_locations: 1, max_time_contour: 1 },
  skadi: { max_shape: 1, min_resample: 10 },
  trace: { max_alternates: 0, max_alternates_shape: 0, max_distance: 0, max_gps_accuracy: 0, max_search_radius: 0, max_shape: 2 },
  status: { allow_verbose: false },
  allow_hard_exclusions: false, max_alternates: 0, max_distance_disable_hierarchy_culling: 0, max_exclude_locations: 0, max_exclude_polygons_length: 0,
  max_radius: 200, max_reachability: 100, max_timedep_distance: 0, max_timedep_distance_matrix: 0,
};
