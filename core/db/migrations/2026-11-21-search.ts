import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for `q` on the lists that grow long. They need two extensions that come with PostgreSQL and that the owner of a database
 * may create; where somebody has left them out, search reads all records of the business instead.
 */
export class Search extends Migration {
  override up(): void {
    this.addSql(`do $search$
      begin
        create extension if not exists pg_trgm;
        create extension if not exists btree_gin;
        create index orders_search on orders using gin (business_id, id gin_trgm_ops, (jsonb_path_query_array(custom_fields, '$.*')::text) gin_trgm_ops);
        create index drivers_search on drivers using gin (business_id, id gin_trgm_ops, name gin_trgm_ops, email gin_trgm_ops);
        create index vehicles_search on vehicles using gin (business_id, id gin_trgm_ops, name gin_trgm_ops);
        create index plans_search on plans using gin (business_id, id gin_trgm_ops, vehicle_id gin_trgm_ops, driver_id gin_trgm_ops);
      exception
        when insufficient_privilege or undefined_file or feature_not_supported then
          raise notice 'pg_trgm and btree_gin are not there: search works without an index';
      end
    $search$`);
  }
}
