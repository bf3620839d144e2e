-- objects: the tables and views of the database, with their meaning.
-- Grain:  table or view.
-- Reads:  duckdb_tables, duckdb_views.
select
    table_name as name,
    'table' as kind,
    comment as meaning
from duckdb_tables()
where not internal and not temporary and database_name = current_database()
union all by name
select
    view_name as name,
    'view' as kind,
    comment as meaning
from duckdb_views()
where not internal and database_name = current_database()
order by kind, name
