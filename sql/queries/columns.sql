-- columns: the columns of one table or view, with their meaning.
-- Grain:  column.
-- Reads:  duckdb_columns.
select
    column_name as name,
    data_type as type,
    comment as meaning
from duckdb_columns()
where
    database_name = current_database()
    and table_name = $object
order by column_index asc
