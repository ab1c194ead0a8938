import { Migration } from '@mikro-orm/migrations';

/** Areas with the roads of real maps, their datasets, and who has these open. */
export class Regions extends Migration {
  override up(): void {
    this.addSql(`create table regions (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        geometry jsonb not null,
        status varchar(20) not null default 'not_installed',
        job_id varchar(120) null,
        dataset_version varchar(60) null,
        error text null,
        approved boolean not null default false,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index regions_business_id_created_at_id_index on regions (business_id, created_at, id)`);
    this.addSql(`create index regions_installed on regions (business_id) where dataset_version is not null and deleted_at is null`);
    this.addSql(`create table region_datasets (
        business_id uuid not null,
        version varchar(60) not null unique,
        region_id varchar(120) not null,
        engine varchar(20) not null,
        state varchar(20) not null,
        job_id varchar(120) not null,
        attempt int not null,
        geometry_hash varchar(64) not null,
        source jsonb not null,
        facts jsonb null,
        created_at timestamptz not null,
        retired_at timestamptz null,
        primary key (business_id, version),
        foreign key (business_id, region_id) references regions (business_id, id)
      )`);
    this.addSql(`create unique index region_datasets_one_ready on region_datasets (business_id, region_id) where state = 'ready'`);
    this.addSql(`create index region_datasets_unsettled on region_datasets (state) where state <> 'ready'`);
    this.addSql(`create table region_dataset_holds (
        version varchar(60) not null,
        holder uuid not null,
        expires_at timestamptz not null,
        primary key (version, holder)
      )`);
    this.addSql(`alter table businesses add column next_map_update_at timestamptz null`);
    this.addSql(`create index businesses_map_update_due on businesses (next_map_update_at) where deleted_at is null`);
  }
}
